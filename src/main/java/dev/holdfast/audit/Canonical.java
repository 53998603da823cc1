package dev.holdfast.audit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An entry as it is hashed: the JSON object that an export has of it, without its place in the
 * chain, as RFC 8785 writes it. That is: members by name, no blanks, no escapes but those that JSON
 * demands, UTF-8. What is absent is left out, so that a member which a later build adds changes no
 * hash of an entry that lacks it.
 */
final class Canonical {
    private static final String SHORT = "btnvfr";
    private static final int FIRST_SHORT = '\b';

    private Canonical() {}

    /** The hash of an entry at its place in a chain. */
    static Digest hash(Digest previous, long position, String text) {
        return Digest.of(
                previous.bytes(),
                ByteBuffer.allocate(Long.BYTES).putLong(position).array(),
                text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(AuditEntry entry) {
        TreeMap<String, String> members = new TreeMap<>();
        members.put("id", quoted(Long.toString(entry.id())));
        members.put("at", quoted(entry.at().toString()));
        put(members, "project", entry.project().map(UUID::toString));
        members.put("principal", quoted(entry.principal()));
        members.put("action", quoted(entry.action()));
        members.put(
                "subject",
                object(Map.of("id", entry.subject().id(), "type", entry.subject().type())));
        members.put("outcome", quoted(entry.outcome().word()));
        put(members, "reason", entry.reason());
        put(members, "address", entry.address());
        put(members, "userAgent", entry.userAgent());
        put(members, "requestId", entry.requestId());
        members.put("details", object(entry.details()));
        return written(members);
    }

    /** Of texts; names are compared as UTF-16, which is how Java compares them. */
    static String object(Map<String, String> texts) {
        TreeMap<String, String> members = new TreeMap<>();
        texts.forEach((name, text) -> members.put(name, quoted(text)));
        return written(members);
    }

    private static void put(Map<String, String> members, String name, Optional<String> text) {
        text.ifPresent(each -> members.put(name, quoted(each)));
    }

    private static String written(TreeMap<String, String> members) {
        StringBuilder text = new StringBuilder("{");
        members.forEach(
                (name, value) ->
                        text.append(text.length() > 1 ? "," : "")
                                .append(quoted(name))
                                .append(':')
                                .append(value));
        return text.append('}').toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(each -> append(quoted, (char) each));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder text, char each) {
        if (each == '"' || each == '\\') {
            text.append('\\').append(each);
        } else if (each >= ' ') {
            text.append(each);
        } else if (each >= FIRST_SHORT && each <= '\r' && each != '\u000b') {
            text.append('\\').append(SHORT.charAt(each - FIRST_SHORT));
        } else {
            text.append("\\u%04x".formatted((int) each));
        }
    }
}
