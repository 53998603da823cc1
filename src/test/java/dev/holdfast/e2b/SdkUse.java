package dev.holdfast.e2b;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a package offers and what its programs have used of it, put together from the recording of
 * each program.
 */
record SdkUse(Set<String> surface, Set<String> used) {

    /** From the files that the programs left in this directory. */
    static SdkUse of(Path recordings) throws IOException {
        var surface = new TreeSet<String>();
        var used = new TreeSet<String>();
        try (var files = Files.list(recordings)) {
            for (var file : files.toList()) {
                try (var reader = Json.createReader(Files.newBufferedReader(file))) {
                    var found = reader.readObject();
                    add(found.getJsonArray("surface"), surface);
                    add(found.getJsonArray("used"), used);
                }
            }
        }
        return new SdkUse(surface, used);
    }

    private static void add(JsonArray names, Set<String> to) {
        names.getValuesAs(JsonString.class).forEach(name -> to.add(name.getString()));
    }

    /** What nobody uses and nobody said so; empty is well. */
    List<String> forgotten(String sdk, Collection<LeftOut> leftOut) {
        return surface.stream()
                .filter(name -> !used.contains(name))
                .filter(name -> leftOut.stream().noneMatch(entry -> entry.covers(sdk, name)))
                .toList();
    }

    /** What is said to be left out and is used, or is not there at all; empty is well. */
    List<String> stale(String sdk, Collection<LeftOut> leftOut) {
        return leftOut.stream()
                .filter(entry -> entry.sdks().contains(sdk))
                .filter(
                        entry ->
                                surface.stream()
                                        .noneMatch(
                                                name ->
                                                        entry.covers(sdk, name)
                                                                && !used.contains(name)))
                .map(LeftOut::member)
                .toList();
    }
}
