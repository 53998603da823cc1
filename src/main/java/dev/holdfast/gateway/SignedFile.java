package dev.holdfast.gateway;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address of a file whose signature stands for the access token of its sandbox. Made by SDKs
 * without a request, so it may name no sandbox at all.
 *
 * @param path as it stands in the query; empty when the files of a form name theirs
 * @param operation {@code read} or {@code write}
 * @param user as it stands in the query, or empty
 * @param expiration seconds since 1970 as they stand in the query
 * @param signature {@code v1_} and the base64 of a SHA-256, without padding
 */
record SignedFile(
        String path, String operation, String user, Optional<String> expiration, String signature) {

    /** Whoever holds no token pays for what is hashed with the length of his own request only. */
    private static final int LONGEST = 16 * 1024;

    private static final Pattern SIGNATURE = Pattern.compile("v1_[A-Za-z0-9+/]{43}");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,18}");

    /** Present when the request is one for a file's content and carries a signature. */
    static Optional<SignedFile> of(HttpServerExchange exchange) {
        return operation(exchange)
                .flatMap(
                        operation ->
                                query(exchange, "signature")
                                        .map(
                                                signature ->
                                                        new SignedFile(
                                                                query(exchange, "path").orElse(""),
                                                                operation,
                                                                query(exchange, "username")
                                                                        .orElse(""),
                                                                query(
                                                                        exchange,
                                                                        "signature_expiration"),
                                                                signature)));
    }

    /** What may be signed: reading and writing contents. */
    static Optional<String> operation(HttpServerExchange exchange) {
        if (!GatewayHandler.rawPath(exchange).equals("/files")) {
            return Optional.empty();
        }
        HttpString method = exchange.getRequestMethod();
        if (method.equals(Methods.POST)) {
            return Optional.of("write");
        }
        return method.equals(Methods.GET) || method.equals(Methods.HEAD)
                ? Optional.of("read")
                : Optional.empty();
    }

    /** Whether it is well formed; only then is there anything to compare. */
    boolean isPlausible() {
        return SIGNATURE.matcher(signature).matches()
                && path.length() + user.length() < LONGEST
                && expiration.map(e -> SECONDS.matcher(e).matches()).orElse(true);
    }

    /**
     * What remains to be done for each token: one or two blocks of SHA-256, however long the path.
     */
    Candidate candidate() {
        MessageDigest begun = sha256();
        begun.update((path + ":" + operation + ":" + user + ":").getBytes(StandardCharsets.UTF_8));
        return token -> {
            try {
                MessageDigest digest = (MessageDigest) begun.clone();
                String rest = token + expiration.map(e -> ":" + e).orElse("");
                byte[] hash = digest.digest(rest.getBytes(StandardCharsets.UTF_8));
                String expected = "v1_" + Base64.getEncoder().withoutPadding().encodeToString(hash);
                return MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII),
                        signature.getBytes(StandardCharsets.UTF_8));
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException("SHA-256 of every Java platform can be copied", e);
            }
        };
    }

    /** Whether a token is the one that signed. */
    interface Candidate {
        boolean isSignedWith(String token);
    }

    boolean isSignedWith(String token) {
        return isPlausible() && candidate().isSignedWith(token);
    }

    boolean isExpired(Instant now) {
        return expiration.filter(e -> Long.parseLong(e) < now.getEpochSecond()).isPresent();
    }

    private static Optional<String> query(HttpServerExchange exchange, String name) {
        Deque<String> values = exchange.getQueryParameters().get(name);
        return Optional.ofNullable(values).map(Deque::peekFirst).filter(v -> !v.isEmpty());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
