package dev.holdfast.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestoreReportTest {

    private final RestoreReportConverter converter = new RestoreReportConverter();

    @Test
    void comesBackFromItsColumnAsItWas() {
        var report = RestoreReport.goingOn(List.of("hostname"), List.of("random"), -3);
        assertThat(converter.convertToEntityAttribute(converter.convertToDatabaseColumn(report)))
                .isEqualTo(report);
        assertThat(converter.convertToEntityAttribute(null)).isNull();
    }

    @Test
    void keepsNoMoreOfWhatAnAgentTellsThanItHasTo() {
        var report =
                RestoreReport.booted(
                        Collections.nCopies(1000, "x".repeat(1000)), List.of("a\0b"), 0);
        assertThat(report.renewed()).hasSize(32).allMatch(text -> text.length() == 64);
        assertThat(report.notRenewed()).containsExactly("ab");
    }
}
