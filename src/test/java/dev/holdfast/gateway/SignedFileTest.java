package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The signatures that the SDKs make. */
class SignedFileTest {

    private static final SignedFile FOR_EVER =
            new SignedFile(
                    "hello.txt",
                    "read",
                    "user",
                    Optional.empty(),
                    "v1_gUtH/s9YCJWgCizjfUxuWfhFE4QSydOWEIIvfLwDr6E");

    private static final SignedFile FOR_A_WHILE =
            new SignedFile(
                    "/home/user/a.txt",
                    "write",
                    "",
                    Optional.of("1893456000"),
                    "v1_lyIT0ivm4+bvMUuKMihldTMH7E8D67ELNiPwCih1TmU");

    @Test
    void knowsTheTokenThatSigned() {
        assertThat(FOR_EVER.isSignedWith("0tQG31xiMp0IOQfaz9dcwi72L1CPo8e0")).isTrue();
        assertThat(FOR_A_WHILE.isSignedWith("secret-token")).isTrue();
        assertThat(FOR_EVER.isSignedWith("0tQG31xiMp0IOQfaz9dcwi72L1CPo8e1")).isFalse();
        assertThat(FOR_A_WHILE.isSignedWith("")).isFalse();
    }

    @Test
    void signsEveryPartOfTheAddress() {
        String signature = FOR_A_WHILE.signature();
        Optional<String> until = Optional.of("1893456000");
        assertThat(signed("/home/user/b.txt", "write", "", until, signature)).isFalse();
        assertThat(signed("/home/user/a.txt", "read", "", until, signature)).isFalse();
        assertThat(signed("/home/user/a.txt", "write", "root", until, signature)).isFalse();
        assertThat(signed("/home/user/a.txt", "write", "", Optional.empty(), signature)).isFalse();
        assertThat(signed("/home/user/a.txt", "write", "", Optional.of("1893456001"), signature))
                .isFalse();
    }

    @Test
    void expiresAfterTheSecondItNames() {
        Instant end = Instant.ofEpochSecond(1893456000L);
        assertThat(FOR_A_WHILE.isExpired(end)).isFalse();
        assertThat(FOR_A_WHILE.isExpired(end.plusSeconds(1))).isTrue();
        assertThat(FOR_EVER.isExpired(end)).isFalse();
    }

    @Test
    void takesNothingMalformedAndNothingHuge() {
        String well = FOR_EVER.signature();
        assertThat(signed("hello.txt", "read", "user", Optional.empty(), well + "=")).isFalse();
        assertThat(signed("hello.txt", "read", "user", Optional.of("soon"), well)).isFalse();
        assertThat(signed("hello.txt", "read", "user", Optional.of("1".repeat(19)), well))
                .isFalse();
        assertThat(signed("x".repeat(16 * 1024), "read", "", Optional.empty(), well)).isFalse();
    }

    private static boolean signed(
            String path, String operation, String user, Optional<String> until, String signature) {
        return new SignedFile(path, operation, user, until, signature)
                .isSignedWith(
                        operation.equals("write")
                                ? "secret-token"
                                : "0tQG31xiMp0IOQfaz9dcwi72L1CPo8e0");
    }
}
