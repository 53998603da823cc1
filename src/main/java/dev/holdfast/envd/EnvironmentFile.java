package dev.holdfast.envd;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.ErrorCode;
import dev.holdfast.agent.FileBody;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables of a sandbox, from the file in which it keeps them for its shells: lines of {@code
 * export NAME='value'}, where a value may go over lines and holds a quote as {@code '\''}.
 */
final class EnvironmentFile {

    private static final String PATH = "/run/holdfast/environment";
    private static final int MOST = 1024 * 1024;
    private static final Pattern NAME = Pattern.compile("export ([A-Za-z_][A-Za-z0-9_]{0,255})='");
    private static final String QUOTE = "'\\''";

    private EnvironmentFile() {}

    static CompletionStage<Map<String, String>> read(Agent agent) {
        return collect(agent.read(PATH, Optional.of("root")), new ByteArrayOutputStream())
                .thenApply(EnvironmentFile::parse)
                .exceptionally(EnvironmentFile::missing);
    }

    /** Reads on by hand: a value can be longer than what a pattern with alternatives can hold. */
    static Map<String, String> parse(String text) {
        Map<String, String> variables = new LinkedHashMap<>();
        Matcher name = NAME.matcher(text);
        int at = 0;
        while (at < text.length() && name.find(at)) {
            StringBuilder value = new StringBuilder();
            at = name.end();
            int quote = text.indexOf('\'', at);
            while (quote >= 0 && text.startsWith(QUOTE, quote)) {
                value.append(text, at, quote).append('\'');
                at = quote + QUOTE.length();
                quote = text.indexOf('\'', at);
            }
            if (quote < 0) {
                break;
            }
            variables.put(name.group(1), value.append(text, at, quote).toString());
            at = quote + 1;
        }
        return variables;
    }

    private static CompletionStage<String> collect(FileBody body, ByteArrayOutputStream text) {
        return body.next()
                .thenComposeAsync(
                        piece -> {
                            if (piece.isEmpty() || text.size() > MOST) {
                                body.cancel();
                                return CompletableFuture.completedFuture(
                                        text.toString(StandardCharsets.UTF_8));
                            }
                            byte[] bytes = new byte[piece.get().remaining()];
                            piece.get().get(bytes);
                            text.writeBytes(bytes);
                            return collect(body, text);
                        });
    }

    /** A sandbox without variables has no such file. */
    private static Map<String, String> missing(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (cause instanceof AgentException refused && refused.code() == ErrorCode.NOT_FOUND) {
            return Map.of();
        }
        throw new CompletionException(cause);
    }
}
