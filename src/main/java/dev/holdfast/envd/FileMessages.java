package dev.holdfast.envd;

import dev.holdfast.agent.FileEntry;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.List;

/** How files are told: in {@code filesystem.Filesystem} and after an upload. */
final class FileMessages {

    private FileMessages() {}

    static JsonObject entry(FileEntry entry) {
        return Answers.BUILDERS.createObjectBuilder().add("entry", shown(entry)).build();
    }

    static JsonObject entries(List<FileEntry> entries) {
        JsonArrayBuilder all = Answers.BUILDERS.createArrayBuilder();
        entries.forEach(entry -> all.add(shown(entry)));
        return Answers.BUILDERS.createObjectBuilder().add("entries", all).build();
    }

    /** Exactly these three members: tests of the SDKs compare the whole object. */
    static JsonObjectBuilder written(FileEntry entry) {
        return Answers.BUILDERS
                .createObjectBuilder()
                .add("name", entry.name())
                .add("path", entry.path())
                .add("type", "file");
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
                        .add("mode", entry.mode())
                        .add("permissions", entry.permissions())
                        .add("owner", entry.owner())
                        .add("group", entry.group())
                        .add("modifiedTime", entry.modifiedAt().toString());
        entry.target().ifPresent(target -> shown.add("symlinkTarget", target));
        return shown;
    }

    private static String type(FileEntry.Type type) {
        return switch (type) {
            case FILE -> "FILE_TYPE_FILE";
            case DIRECTORY -> "FILE_TYPE_DIRECTORY";
            case SYMLINK -> "FILE_TYPE_SYMLINK";
            case OTHER -> "FILE_TYPE_UNSPECIFIED";
        };
    }
}
