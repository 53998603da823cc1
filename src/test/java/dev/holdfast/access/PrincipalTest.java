package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class PrincipalTest {
    private static final UUID ID = UUID.fromString("0b8c5c0e-0000-4000-8000-00000000abcd");

    @Test
    void hasOneStableTextForEachKind() {
        assertThat(Principal.key(new ApiKeyId(ID)).text()).isEqualTo("key:" + ID);
        assertThat(Principal.person("auth0|42").text()).isEqualTo("person:auth0|42");
        assertThat(Principal.system().text()).isEqualTo("system");
    }

    @Test
    void isReadBackFromItsText() {
        for (var principal :
                new Principal[] {
                    Principal.key(new ApiKeyId(ID)),
                    Principal.person("key:x"),
                    Principal.person("system"),
                    Principal.system()
                }) {
            assertThat(Principal.parse(principal.text())).isEqualTo(principal);
        }
    }

    @Test
    void cannotBeForgedByAStrangeSubject() {
        for (var subject : new String[] {"", "a\nb", "x".repeat(256)}) {
            assertThatThrownBy(() -> Principal.person(subject))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesTextThatIsNone() {
        for (var text : new String[] {"", "root", "system:x", "key:", "key:nonsense", "person:"}) {
            assertThatThrownBy(() -> Principal.parse(text))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
