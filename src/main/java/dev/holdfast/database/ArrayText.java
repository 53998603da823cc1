package dev.holdfast.database;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Many values as one: the text that a statement casts to an array. A statement has the same text
 * for any number of them, and no bound of its own on how many.
 */
public final class ArrayText {

    private ArrayText() {}

    /**
     * @param values none of them with a quotation mark, a comma, a brace or a blank, such as IDs
     *     and digests
     */
    public static String of(Collection<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(",", "{", "}"));
    }
}
