package dev.holdfast.access;

/** What became of a key that was shown. */
public sealed interface Recognition {
    record Accepted(ApiKey key) implements Recognition {}

    /**
     * @param why for the caller, who holds the key and may know
     */
    record Refused(String why) implements Recognition {}

    static Refused missing() {
        return new Refused("No API key was given. Send one in the header X-API-Key.");
    }

    static Refused malformed() {
        return new Refused(
                "Invalid API key: a key is e2b_ followed by 40 lower-case hexadecimal digits.");
    }

    static Refused unknown() {
        return new Refused("Invalid API key: nobody has this key. Check it, or ask for a new one.");
    }

    static Refused revoked() {
        return new Refused("Invalid API key: it was revoked. Use another one.");
    }

    static Refused expired() {
        return new Refused("Invalid API key: it has expired. Use another one.");
    }
}
