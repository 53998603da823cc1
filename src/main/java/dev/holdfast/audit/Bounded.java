package dev.holdfast.audit;

/** Text from outside, made fit to be stored and shown: no control characters, not too long. */
final class Bounded {
    private Bounded() {}

    static String text(String text, int most) {
        if (text == null) {
            return null;
        }
        StringBuilder fit = new StringBuilder();
        text.codePoints()
                .limit(most)
                .map(each -> isStorable(each) ? each : '?')
                .forEach(fit::appendCodePoint);
        return fit.toString();
    }

    /** Half of a pair is no character of UTF-8. */
    private static boolean isStorable(int character) {
        return !Character.isISOControl(character)
                && Character.getType(character) != Character.SURROGATE;
    }
}
