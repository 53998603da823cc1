package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachmentTest {

    @ParameterizedTest
    @CsvSource({
        "notes.txt,            notes.txt",
        "/home/user/notes.txt, notes.txt",
        "/a/b c;d,             b%20c%3Bd",
        "/a/ü€,                %C3%BC%E2%82%AC",
        "plot-1_2~a,           plot-1_2~a",
        "/,                    ''",
    })
    void namesTheFileByItsLastName(String path, String shown) {
        assertThat(Attachment.disposition(path)).isEqualTo("attachment; filename*=UTF-8''" + shown);
    }

    @Test
    void letsNoNameBreakOutOfItsHeader() {
        assertThat(Attachment.disposition("/a/\"\r\nSet-Cookie: x=\\'\0"))
                .isEqualTo("attachment; filename*=UTF-8''%22%0D%0ASet-Cookie%3A%20x%3D%5C%27%00");
    }
}
