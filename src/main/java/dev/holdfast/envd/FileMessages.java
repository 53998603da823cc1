package dev.holdfast.envd;

import dev.holdfast.agent.FileEntry;
import dev.holdfast.agent.FileEvent;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** How files and their changes are told: in {@code filesystem.Filesystem}, after an upload. */
final class FileMessages {

    private static final byte[] WATCHING = ascii("{\"start\":{}}");
    private static final byte[] KEEPALIVE = ascii("{\"keepalive\":{}}");

    private FileMessages() {}

    static byte[] watching() {
        return WATCHING.clone();
    }

    static byte[] keepalive() {
        return KEEPALIVE.clone();
    }

    static byte[] happened(FileEvent event) {
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("filesystem", told(event))
                .build()
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    static JsonObject watcher(String id) {
        return Answers.BUILDERS.createObjectBuilder().add("watcherId", id).build();
    }

    static JsonObject events(List<FileEvent> events) {
        JsonArrayBuilder all = Answers.BUILDERS.createArrayBuilder();
        events.forEach(event -> all.add(told(event)));
        return Answers.BUILDERS.createObjectBuilder().add("events", all).build();
    }

    private static JsonObjectBuilder told(FileEvent event) {
        JsonObjectBuilder told =
                Answers.BUILDERS
                        .createObjectBuilder()
                        .add("name", event.name())
                        .add("type", "EVENT_TYPE_" + event.type());
        event.entry().ifPresent(entry -> told.add("entry", shown(entry)));
        return told;
    }

    static JsonObject entry(FileEntry entry) {
        return Answers.BUILDERS.createObjectBuilder().add("entry", shown(entry)).build();
    }

    /** Written one after the other: all of a large directory as JSON would be far larger. */
    static String entries(List<FileEntry> entries) {
        return entries.stream()
                .map(entry -> shown(entry).build().toString())
                .collect(Collectors.joining(",", "{\"entries\":[", "]}"));
    }

    /**
     * Exactly these three members, and the metadata if there are any: tests of the SDKs compare the
     * whole object.
     */
    static JsonObjectBuilder written(FileEntry entry) {
        return noted(
                entry,
                Answers.BUILDERS
                        .createObjectBuilder()
                        .add("name", entry.name())
                        .add("path", entry.path())
                        .add("type", "file"));
    }

    private static JsonObjectBuilder noted(FileEntry entry, JsonObjectBuilder told) {
        if (!entry.metadata().isEmpty()) {
            JsonObjectBuilder metadata = Answers.BUILDERS.createObjectBuilder();
            entry.metadata().forEach(metadata::add);
            told.add("metadata", metadata);
        }
        return told;
    }

    private static JsonObjectBuilder shown(FileEntry entry) {
        JsonObjectBuilder shown =
                Answers.BUILDERS
                        .createObjectBuilder()
                        .add("name", entry.name())
                        .add("type", type(entry.type()))
                        .add("path", entry.path())
                        // A 64-bit number is a text in proto3's JSON.
                        .add("size", Long.toString(entry.size()))
                        // The permission bits alone; the other three are letters.
                        .add("mode", entry.mode() & 0777)
                        .add("permissions", entry.permissions())
                        .add("owner", entry.owner())
                        .add("group", entry.group())
                        .add("modifiedTime", entry.modifiedAt().toString());
        // Newer clients tell a link by the flag, older ones by the target.
        entry.target()
                .ifPresent(target -> shown.add("symlinkTarget", target).add("isSymlink", true));
        return noted(entry, shown);
    }

    private static String type(FileEntry.Type type) {
        return switch (type) {
            case FILE -> "FILE_TYPE_FILE";
            case DIRECTORY -> "FILE_TYPE_DIRECTORY";
            case SYMLINK -> "FILE_TYPE_SYMLINK";
            case OTHER -> "FILE_TYPE_UNSPECIFIED";
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
