package dev.holdfast.e2b;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A public member of a package that no program uses.
 *
 * @param sdks the directories of the packages that have it
 * @param member its name as the recording writes it; a star at its end stands for anything
 * @param why in words for the README
 */
record LeftOut(Set<String> sdks, String member, String why) {

    private static final Path FILE = Path.of("src/test/sdk/left-out.json");

    LeftOut {
        sdks = Set.copyOf(sdks);
    }

    static List<LeftOut> read() throws IOException {
        try (var reader = Json.createReader(Files.newBufferedReader(FILE))) {
            return reader.readArray().getValuesAs(JsonObject.class).stream()
                    .flatMap(
                            entry ->
                                    entry.getJsonArray("members").stream()
                                            .map(member -> of(entry, text(member))))
                    .toList();
        }
    }

    private static LeftOut of(JsonObject entry, String member) {
        var sdks = entry.getJsonArray("sdks").stream().map(LeftOut::text).toList();
        return new LeftOut(Set.copyOf(sdks), member, entry.getString("why"));
    }

    private static String text(Object value) {
        return ((jakarta.json.JsonString) value).getString();
    }

    boolean covers(String sdk, String name) {
        return sdks.contains(sdk)
                && (member.endsWith("*")
                        ? name.startsWith(member.substring(0, member.length() - 1))
                        : name.equals(member));
    }
}
