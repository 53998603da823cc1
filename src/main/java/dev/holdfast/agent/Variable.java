package dev.holdfast.agent;

/**
 * A name that code has given to a value.
 *
 * @param value shortened to a line
 */
public record Variable(String name, String type, String value) {

    private static final int LONGEST = 400;

    static Variable of(Members members) {
        return new Variable(
                shortened(members.text("name")),
                shortened(members.text("type")),
                shortened(members.text("value")));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
