package dev.holdfast.agent;

import java.util.Optional;

/**
 * Something that happened in a watched directory.
 *
 * @param name relative to the directory; {@code .} for the directory itself
 * @param entry what was there when the agent saw it, if that was asked for and it was still there
 */
public record FileEvent(String name, Type type, Optional<FileEntry> entry) {

    /** A move within the directory is a RENAME of the old name and a CREATE of the new one. */
    public enum Type {
        CREATE,
        WRITE,
        REMOVE,
        RENAME,
        CHMOD
    }

    /** Empty for a word that this side does not know. */
    static Optional<FileEvent> of(Members members) {
        return type(members.text("type"))
                .map(
                        type ->
                                new FileEvent(
                                        members.text("name"),
                                        type,
                                        Optional.of(members.object("entry"))
                                                .filter(entry -> members.has("entry"))
                                                .map(FileEntry::of)));
    }

    private static Optional<Type> type(String word) {
        return Optional.ofNullable(
                switch (word) {
                    case "create" -> Type.CREATE;
                    case "write" -> Type.WRITE;
                    case "remove" -> Type.REMOVE;
                    case "rename" -> Type.RENAME;
                    case "chmod" -> Type.CHMOD;
                    default -> null;
                });
    }
}
