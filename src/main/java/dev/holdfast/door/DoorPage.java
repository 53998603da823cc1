package dev.holdfast.door;

import dev.holdfast.openid.Entry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What somebody is told who does not come in: what happened, why, and what to do.
 *
 * @param paragraphs plain text
 * @param farewell where one becomes somebody else
 */
record DoorPage(String title, List<String> paragraphs, Optional<String> farewell) {

    private static final int MOST_SHOWN = 20;

    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";

    private static final String FORM =
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%1$s · Holdfast</title>
            <link rel="icon" href="/console/mark.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/console/tokens.css">
            <link rel="stylesheet" href="/console/console.css">
            </head>
            <body>
            <main class="entrance"><div class="card">
            <div class="brand"><img src="/console/mark.svg" alt="">Holdfast</div>
            <h1>%1$s</h1>
            %2$s
            <div class="row wrap"><a class="button primary" href="/console/">Back to sign-in</a>%3$s</div>
            </div></main>
            </body>
            </html>
            """;

    DoorPage {
        paragraphs = List.copyOf(paragraphs);
    }

    /** Who is known and has no role. */
    static DoorPage of(Entry.Stranger stranger) {
        var told = new ArrayList<String>();
        told.add(
                "%s says that you are %s, and that gives you nothing to do here."
                        .formatted(stranger.provider(), stranger.name()));
        told.add(
                stranger.roles().isEmpty()
                        ? "The claim \"%s\" of your ID token holds no role."
                                .formatted(stranger.claim())
                        : "The claim \"%s\" of your ID token holds: %s."
                                .formatted(stranger.claim(), shown(stranger.roles())));
        if (!stranger.strange().isEmpty()) {
            told.add("No open project is called %s.".formatted(shown(stranger.strange())));
        }
        told.add(
                "It should hold holdfast:PROJECT:PERMISSION, such as"
                        + " holdfast:team-a:snapshots:read, or a role that the operator of this"
                        + " server has mapped. Ask them, or whoever gives roles at the provider.");
        return new DoorPage("You have no access", told, stranger.farewell());
    }

    /** The provider's word was over when it came. */
    static DoorPage late() {
        return failed(
                "What the provider said of you was over when it arrived. The clocks of the two"
                        + " servers may differ; tell the operator, or try again.");
    }

    /**
     * What the client refused.
     *
     * @param reason the client's word; empty if it has none
     */
    static DoorPage of(int status, String reason) {
        return switch (reason) {
            case "INVALID_STATE_COOKIE", "INVALID_NONCE" ->
                    failed(
                            "This answer of the provider does not belong to a sign-in that this"
                                    + " browser has begun, or it was used already. Sign in again.");
            case "OAUTH_ERROR" ->
                    failed("The provider did not sign you in. Try again, or ask its operator.");
            case "CODE_TO_TOKEN_FAILURE", "INVALID_TOKEN", "STALE_TOKEN" ->
                    failed(
                            "The provider's answer did not stand up to examination, so nobody was"
                                    + " signed in. Try again; the server's log says what was"
                                    + " wrong.");
            case "NO_REDIRECT_URI" ->
                    failed("The provider cannot be reached now. Try again in a while.");
            case "SSL_REQUIRED" -> failed("This way in needs an address with https.");
            default ->
                    status == HttpServletResponse.SC_NOT_FOUND
                            ? new DoorPage(
                                    "There is no such page",
                                    List.of("The address is not one of the console's."),
                                    Optional.empty())
                            : failed(
                                    "Something kept you from being signed in (%d). Try again; the"
                                                    .formatted(status)
                                            + " server's log says what it was.");
        };
    }

    private static DoorPage failed(String why) {
        return new DoorPage("You are not signed in", List.of(why), Optional.empty());
    }

    private static String shown(List<String> texts) {
        String some = String.join(", ", texts.subList(0, Math.min(texts.size(), MOST_SHOWN)));
        return texts.size() > MOST_SHOWN
                ? some + " and " + (texts.size() - MOST_SHOWN) + " more"
                : some;
    }

    String text() {
        String body =
                String.join(
                        "\n",
                        paragraphs.stream().map(each -> "<p>" + safe(each) + "</p>").toList());
        String other =
                farewell.map(
                                address ->
                                        "<a class=\"button\" href=\""
                                                + safe(address)
                                                + "\">Sign in as somebody else</a>")
                        .orElse("");
        return FORM.formatted(safe(title), body, other);
    }

    void send(HttpServletResponse response, int status) throws IOException {
        byte[] content = text().getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }

    private static String safe(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
