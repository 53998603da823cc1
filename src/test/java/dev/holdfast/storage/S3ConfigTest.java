package dev.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class S3ConfigTest {

    private static final String KEYS = "holdfast.storage.s3.";

    @Test
    void isNoneWithoutABucket() {
        assertThat(S3Config.of(new Settings(Map.of()))).isEmpty();
        assertThat(S3Config.of(new Settings(Map.of(KEYS + "endpoint", "http://localhost"))))
                .isEmpty();
    }

    @Test
    void needsOnlyTheBucketsName() {
        assertThat(S3Config.of(new Settings(Map.of(KEYS + "bucket", "saved"))))
                .contains(
                        new S3Config(
                                "saved", null, "us-east-1", false, "", 4, Duration.ofMinutes(1)));
    }

    @Test
    void takesEachSetting() {
        assertThat(
                        S3Config.of(
                                new Settings(
                                        Map.of(
                                                KEYS + "bucket", "saved",
                                                KEYS + "endpoint", "https://s3.example.com:9000",
                                                KEYS + "region", "eu-1",
                                                KEYS + "path-style", false,
                                                KEYS + "prefix", "agents/holdfast",
                                                KEYS + "attempts", 2,
                                                KEYS + "patience", Duration.ofSeconds(5)))))
                .contains(
                        new S3Config(
                                "saved",
                                URI.create("https://s3.example.com:9000"),
                                "eu-1",
                                false,
                                "agents/holdfast/",
                                2,
                                Duration.ofSeconds(5)));
    }

    /** Servers of one's own seldom have names for their buckets. */
    @Test
    void putsTheBucketIntoThePathWhereAnEndpointIsNamed() {
        var settings = Map.of(KEYS + "bucket", "saved", KEYS + "endpoint", "http://localhost:9000");

        assertThat(S3Config.of(new Settings(settings)))
                .get()
                .matches(S3Config::pathStyle, "path-style");
    }

    @ParameterizedTest
    @CsvSource({
        "bucket, Saved",
        "bucket, s",
        "endpoint, s3.example.com",
        "endpoint, ftp://s3.example.com",
        "endpoint, https://key@s3.example.com",
        "endpoint, https://s3.example.com/saved",
        "endpoint, 'not an address'",
        "region, 'eu west'",
        "prefix, /agents",
        "prefix, ../agents",
        "prefix, agents//saved"
    })
    void refusesWhatCannotWork(String name, String value) {
        var settings = new HashMap<String, Object>(Map.of(KEYS + "bucket", "saved"));
        settings.put(KEYS + name, value);

        assertThatThrownBy(() -> S3Config.of(new Settings(settings)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(KEYS + name + " is no");
    }

    @Test
    void refusesToWaitForEver() {
        assertThatThrownBy(() -> S3Config.of(new Settings(with("attempts", 0))))
                .hasMessageStartingWith(KEYS + "attempts");
        assertThatThrownBy(() -> S3Config.of(new Settings(with("attempts", 11))))
                .hasMessageStartingWith(KEYS + "attempts");
        assertThatThrownBy(() -> S3Config.of(new Settings(with("patience", Duration.ZERO))))
                .hasMessageStartingWith(KEYS + "patience");
        assertThatThrownBy(() -> S3Config.of(new Settings(with("patience", Duration.ofHours(1)))))
                .hasMessageStartingWith(KEYS + "patience");
    }

    private static Map<String, Object> with(String name, Object value) {
        return Map.of(KEYS + "bucket", "saved", KEYS + name, value);
    }
}
