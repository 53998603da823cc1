package dev.holdfast.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class KeySecretTest {
    private static final String KEY = "e2b_0123456789abcdef0123456789abcdef01234567";

    @Test
    void takesTheGrammarTheSdksCheck() {
        assertThat(KeySecret.read(KEY)).contains(new KeySecret(KEY));
    }

    @Test
    void refusesEverythingElse() {
        for (var text :
                new String[] {
                    null,
                    "",
                    "e2b_",
                    KEY + "0",
                    KEY.substring(1),
                    KEY.substring(0, 43),
                    KEY.replace('a', 'A'),
                    KEY.replace('a', 'g'),
                    KEY + "\n",
                    " " + KEY
                }) {
            assertThat(KeySecret.read(text)).isEmpty();
        }
    }

    @Test
    void doesNotRepeatAWrongOne() {
        assertThatThrownBy(() -> new KeySecret(KEY + "0")).hasMessageNotContaining("0123456789");
    }

    @Test
    void doesNotPrintItself() {
        assertThat(new KeySecret(KEY).toString()).isEqualTo("e2b_0123...4567");
    }

    @Test
    void isStoredAsItsSha256() {
        assertThat(HexFormat.of().formatHex(new KeySecret(KEY).sha256()))
                .isEqualTo("285c79b208f1b809feed44bd1339b85da6a5f0a9c2e0fb5a95792d7989af7232");
    }

    @Test
    void isNeverIssuedTwice() {
        var random = new SecureRandom();

        assertThat(KeySecret.random(random)).isNotEqualTo(KeySecret.random(random));
        assertThat(KeySecret.read(KeySecret.random(random).value())).isPresent();
    }
}
