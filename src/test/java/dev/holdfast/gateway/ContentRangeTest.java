package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the header Range is understood. */
class ContentRangeTest {

    @Test
    void takesOnePart() {
        assertThat(ContentRange.of("bytes=0-9")).isEqualTo(new ContentRange(0, Optional.of(10L)));
        assertThat(ContentRange.of("bytes=5-")).isEqualTo(new ContentRange(5, Optional.empty()));
        assertThat(ContentRange.of("bytes=-7")).isEqualTo(new ContentRange(-7, Optional.empty()));
    }

    @Test
    void theLastNoBytesAreNoPart() {
        assertThat(ContentRange.of("bytes=-0")).isEqualTo(new ContentRange(0, Optional.of(0L)));
        assertThat(ContentRange.of("bytes=-0").isAll()).isFalse();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "bytes=-", "bytes=0-1,3-4", "bytes=9-3", "lines=1-2", "bytes=x-"})
    void isAllWhereItIsNotUnderstood(String header) {
        assertThat(ContentRange.of(header).isAll()).isTrue();
    }
}
