package dev.holdfast.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditCsvTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain       | \"plain\"",
                "a,b         | \"a,b\"",
                "say \"it\"  | \"say \"\"it\"\"\"",
                "=1+1        | \"'=1+1\"",
                "+1          | \"'+1\"",
                "-1          | \"'-1\"",
                "@SUM(A1)    | \"'@SUM(A1)\"",
                "1=1         | \"1=1\"",
            })
    void makesNoFormulaAndNoSecondCell(String text, String cell) {
        assertThat(AuditCsv.cell(text)).isEqualTo(cell);
    }

    @Test
    void hasAsManyCellsAsItsHeader() {
        var entry =
                new AuditView(
                        "7",
                        Instant.EPOCH,
                        null,
                        "system",
                        "snapshot.expire",
                        new AuditView.SubjectView("snapshot", "s"),
                        "done",
                        null,
                        null,
                        null,
                        null,
                        Map.of("b", "2", "a", "1"),
                        null);

        assertThat(AuditCsv.line(entry).split(",")).hasSize(AuditCsv.HEADER.split(",").length);
        assertThat(AuditCsv.line(entry)).endsWith("\"a=1; b=2\"\r\n");
    }
}
