package dev.holdfast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogFormatTest {

    private static LogFormat chosen(Map<String, String> environment, String file) {
        return LogFormat.of(name -> environment.getOrDefault(name, ""), Path.of(file)::equals);
    }

    @ParameterizedTest
    @CsvSource({
        "/.dockerenv, HOME, JSON",
        "/run/.containerenv, HOME, JSON",
        "/etc/passwd, KUBERNETES_SERVICE_HOST, JSON",
        "/etc/passwd, container, JSON",
        "/etc/passwd, HOME, TEXT"
    })
    void isForProgramsInAContainerUnlessSomebodySaysSo(
            String file, String variable, LogFormat expected) {
        assertThat(chosen(Map.of(variable, "10.0.0.1"), file)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"text, TEXT", "JSON, JSON", "' text ', TEXT"})
    void isWhatTheSettingSaysWherever(String said, LogFormat expected) {
        for (var file : new String[] {"/.dockerenv", "/etc/passwd"}) {
            assertThat(chosen(Map.of(LogFormat.SETTING, said), file)).isEqualTo(expected);
        }
    }

    @Test
    void refusesAFormatThatIsNone() {
        assertThatThrownBy(() -> chosen(Map.of(LogFormat.SETTING, "xml"), "/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("HOLDFAST_LOG_FORMAT is text or json, not xml");
    }
}
