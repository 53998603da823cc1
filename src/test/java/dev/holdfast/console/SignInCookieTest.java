package dev.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.audit.TlsProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignInCookieTest {

    private static final SignInSecret SECRET = SignInSecret.random(new SecureRandom());
    private static final String PLAIN = "holdfast-session=" + SECRET.value();
    private static final String SECURE = "__Host-holdfast-session=" + SECRET.value();

    @ParameterizedTest
    @CsvSource({
        "auto,   false, http://a,  false",
        "auto,   false,,           false",
        "auto,   false, https://a, true",
        "auto,   true,  http://a,  true",
        "auto,   true,,            true",
        "always, false, http://a,  true",
        "always, false,,           true",
    })
    void isSecureWhereAnybodySaysTlsAndAlwaysWhereThatIsSet(
            String setting, boolean tls, String origin, boolean secure) {
        var cookie = cookie(setting, tls);
        var request = request(origin, "");

        assertThat(cookie.set(request, SECRET))
                .isEqualTo(
                        secure
                                ? SECURE + "; Path=/; HttpOnly; SameSite=Strict; Secure"
                                : PLAIN + "; Path=/; HttpOnly; SameSite=Strict");
        assertThat(cookie.clear(request))
                .startsWith(secure ? "__Host-holdfast-session=;" : "holdfast-session=;")
                .endsWith("; Max-Age=0");
        // What a neighbouring host can set is not looked at then.
        assertThat(cookie.read(request(origin, PLAIN)).isPresent()).isNotEqualTo(secure);
        assertThat(cookie.read(request(origin, SECURE))).contains(SECRET);
    }

    @Test
    void takesNoneOfTwoWithOneName() {
        var other = SignInSecret.random(new SecureRandom()).value();
        var cookie = cookie("auto", false);
        assertThat(cookie.read(request(null, PLAIN + "; holdfast-session=" + other))).isEmpty();
        assertThat(cookie.read(request(null, PLAIN + "; other=1"))).contains(SECRET);
        assertThat(cookie.read(request(null, "holdfast-session=" + other + "; " + SECURE)))
                .contains(SECRET);
    }

    @Test
    void refusesASettingThatMeansNothing() {
        assertThat(CookieSecurity.of(" always ")).isEqualTo(CookieSecurity.ALWAYS);
        for (var word : List.of("never", "", "Always", "true")) {
            assertThatThrownBy(() -> CookieSecurity.of(word))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto or always");
        }
    }

    private static SignInCookie cookie(String setting, boolean tls) {
        var cookie = new SignInCookie();
        cookie.config = new ConsoleConfig();
        cookie.config.secure = setting;
        cookie.config.check();
        cookie.proxies =
                new TlsProxies() {
                    @Override
                    public boolean isTls(HttpServletRequest request) {
                        return tls;
                    }
                };
        return cookie;
    }

    private static HttpServletRequest request(String origin, String cookies) {
        Map<String, String> headers =
                origin == null
                        ? Map.of("Cookie", cookies)
                        : Map.of("Cookie", cookies, "Origin", origin);
        return (HttpServletRequest)
                Proxy.newProxyInstance(
                        SignInCookieTest.class.getClassLoader(),
                        new Class<?>[] {HttpServletRequest.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "getHeader" -> headers.get(arguments[0]);
                                    case "getHeaders" ->
                                            Collections.enumeration(
                                                    List.of(headers.get(arguments[0])));
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }
}
