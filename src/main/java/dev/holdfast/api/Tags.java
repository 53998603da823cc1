package dev.holdfast.api;

import jakarta.ws.rs.core.EntityTag;
import java.util.OptionalLong;

/** The version of a row as an entity tag. */
final class Tags {
    private Tags() {}

    static EntityTag of(long version) {
        return new EntityTag(Long.toString(version));
    }

    /** A tag that is none of ours matches nothing, as a version that never was. */
    static OptionalLong version(String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return OptionalLong.empty();
        }
        String text = ifMatch.strip();
        return OptionalLong.of(
                text.matches("\"[0-9]{1,18}\"")
                        ? Long.parseLong(text.substring(1, text.length() - 1))
                        : -1);
    }
}
