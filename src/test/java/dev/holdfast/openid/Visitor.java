package dev.holdfast.openid;

import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** A browser as far as signing in goes: it keeps cookies and follows redirects, one by one. */
final class Visitor {

    private static final int MOST_HOPS = 12;

    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient client = HttpClient.newBuilder().cookieHandler(cookies).build();

    static URI door(String query) {
        return SharedServer.api().resolve("/console/openid" + query);
    }

    /** The whole way in, from the button to the page behind the last redirect. */
    HttpResponse<String> signIn(String login) throws IOException, InterruptedException {
        return follow(answered(login));
    }

    /** Up to the provider's answer, which is not opened: the address it leads to. */
    URI answered(String login) throws IOException, InterruptedException {
        var form = follow(door("?scope=profile"), each -> false);
        var said = post(form.uri(), "login=" + URLEncoder.encode(login, StandardCharsets.UTF_8));
        var last = follow(next(said), each -> each.getPath().equals("/console/openid"));
        return next(last);
    }

    HttpResponse<String> follow(URI address) throws IOException, InterruptedException {
        return follow(address, each -> false);
    }

    /**
     * @param enough of a redirect's target: it is not followed
     */
    private HttpResponse<String> follow(URI address, Predicate<URI> enough)
            throws IOException, InterruptedException {
        var answer = get(address);
        for (int hop = 0; isRedirect(answer) && !enough.test(next(answer)); hop++) {
            if (hop == MOST_HOPS) {
                throw new AssertionError("round and round: " + next(answer));
            }
            answer = get(next(answer));
        }
        return answer;
    }

    HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(URI address, String form) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(address)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }

    /** What the cookie of the console holds; empty if there is none. */
    String session() {
        return cookies.getCookieStore().getCookies().stream()
                .filter(each -> each.getName().equals("holdfast-session"))
                .map(HttpCookie::getValue)
                .findFirst()
                .orElse("");
    }

    static boolean isRedirect(HttpResponse<?> answer) {
        return answer.statusCode() / 100 == 3;
    }

    static URI next(HttpResponse<?> answer) {
        return answer.uri()
                .resolve(
                        answer.headers()
                                .firstValue("Location")
                                .orElseThrow(() -> new AssertionError("no redirect: " + answer)));
    }
}
