package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InwardHeadersTest {

    private static final String KEY = "e2b_" + "0123456789abcdef0123456789abcdef01234567";

    private final HeaderMap headers = new HeaderMap();

    @ParameterizedTest
    @ValueSource(strings = {"X-API-Key", "x-api-key", "X-Access-Token", "E2B-Traffic-Access-Token"})
    void takesOutWhatOpensHoldfast(String name) {
        headers.add(new HttpString(name), "secret");
        headers.add(new HttpString(name), "another");

        InwardHeaders.strip(headers, Router.By.HOST);

        assertThat(headers.contains(name)).isFalse();
    }

    @Test
    void takesOutAuthorizationThatCarriesAKeyOfOurs() {
        for (String value : new String[] {"Bearer " + KEY, basic("x:" + KEY), basic(KEY + ":")}) {
            headers.put(Headers.AUTHORIZATION, value);
            InwardHeaders.strip(headers, Router.By.HOST);
            assertThat(headers.contains(Headers.AUTHORIZATION)).isFalse();
        }
    }

    @Test
    void leavesAuthorizationOfTheProgramsOwn() {
        for (String value : new String[] {"Bearer abc", basic("user:pass"), "Basic %%%", "x"}) {
            headers.put(Headers.AUTHORIZATION, value);
            InwardHeaders.strip(headers, Router.By.HEADER);
            assertThat(headers.getFirst(Headers.AUTHORIZATION)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a=1; holdfast-session=x; b=2, a=1; b=2",
        "__Host-holdfast=x;a=1, a=1",
        "HOLDFAST=x,",
        "a=holdfast, a=holdfast",
    })
    void takesOurCookiesOutOfRequestsRoutedByHostName(String sent, String kept) {
        headers.put(Headers.COOKIE, sent);

        InwardHeaders.strip(headers, Router.By.HOST);

        assertThat(headers.getFirst(Headers.COOKIE)).isEqualTo(kept);
    }

    @Test
    void takesAllCookiesOutOfRequestsRoutedByHeader() {
        headers.put(Headers.COOKIE, "a=1; JSESSIONID=x");

        InwardHeaders.strip(headers, Router.By.HEADER);

        assertThat(headers.contains(Headers.COOKIE)).isFalse();
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
