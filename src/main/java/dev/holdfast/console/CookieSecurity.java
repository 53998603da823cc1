package dev.holdfast.console;

import java.util.Locale;

/** When the console's cookie is one that browsers keep to TLS. */
enum CookieSecurity {
    /** Where the browser came by TLS, as far as anybody tells. */
    AUTO,
    /** Whatever is told: the console is reached by TLS and in no other way. */
    ALWAYS;

    /**
     * @throws IllegalArgumentException for another word
     */
    static CookieSecurity of(String word) {
        for (CookieSecurity each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(word.strip())) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "holdfast.console.secure is auto or always, and not \"" + word + "\"");
    }
}
