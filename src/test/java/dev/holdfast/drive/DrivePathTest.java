package dev.holdfast.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrivePathTest {

    @TempDir Path root;

    @Test
    void slashesMeanNothingButTheirPlace() {
        assertThat(DrivePath.of("//a/b/", null)).isEqualTo(DrivePath.of("a/b", null));
        assertThat(DrivePath.of("/", null).isRoot()).isTrue();
        assertThat(DrivePath.of(null, null).isRoot()).isTrue();
        assertThat(DrivePath.of("/a/b", null).shown()).isEqualTo("/a/b");
        assertThat(DrivePath.of("/a/b", null).parent()).isEqualTo(DrivePath.of("a", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "/..", "a/../b", ".", "a/./b", "a\0b"})
    void refusesWhatCouldLeadElsewhere(String path) {
        assertThatThrownBy(() -> DrivePath.of(path, null)).isInstanceOf(Problem.class);
    }

    @Test
    void refusesWhatTheKernelWould() {
        assertThatThrownBy(() -> DrivePath.of("a".repeat(256), null)).isInstanceOf(Problem.class);
        assertThatThrownBy(() -> DrivePath.of("ab/".repeat(1200), null))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> DrivePath.of(null, "%%")).isInstanceOf(Problem.class);
    }

    @Test
    void findsAFileByTheBytesOfItsNameWhateverTheLocaleIs() throws IOException {
        byte[] bytes = {'o', (byte) 0xff, '\n', '%', ' ', 'x'};
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        DrivePath odd = DrivePath.of(null, token);
        Files.writeString(odd.on(root), "odd");
        DrivePath text = DrivePath.of("gr\u00fc\u00df", null);
        Files.writeString(text.on(root), "text");

        try (var names = Files.list(root)) {
            assertThat(names.map(each -> DrivePath.octets(each.getFileName())))
                    .containsExactlyInAnyOrder(
                            new String(bytes, StandardCharsets.ISO_8859_1), text.names().get(0));
        }
        assertThat(text.bytesIfNoText()).isNull();
        assertThat(text.name()).isEqualTo("gr\u00fc\u00df");
        assertThat(DrivePath.of(null, odd.bytesIfNoText())).isEqualTo(odd);
        assertThat(Entry.of(odd, odd.on(root)).size()).isEqualTo(3);
        assertThat(DrivePath.after(DrivePath.token("a\u00ff"))).isEqualTo("a\u00ff");
        assertThat(DrivePath.of("/x", null).below("y").names()).isEqualTo(List.of("x", "y"));
    }

    @Test
    void saysWhatIsThereWithoutFollowingIt() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), Path.of("/etc/passwd"));
        Entry link = Entry.of(DrivePath.of("link", null), root.resolve("link"));
        assertThat(link.type()).isEqualTo("link");
        assertThat(link.target()).contains("/etc/passwd");
        assertThat(link.isFile()).isFalse();
    }
}
