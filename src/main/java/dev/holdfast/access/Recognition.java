package dev.holdfast.access;

import dev.holdfast.problem.Reason;

/** What became of a key that was shown, or of another credential. */
public sealed interface Recognition {
    record Accepted(Identity who) implements Recognition {}

    /**
     * @param why for the caller, who holds the key and may know
     */
    record Refused(Reason reason, String why) implements Recognition {
        Refused(String why) {
            this(Reason.UNAUTHENTICATED, why);
        }
    }

    /** What showed it is no longer good, or never was. */
    static Refused ended() {
        return new Refused("Your session has ended. Sign in again.");
    }

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

    static Refused closed() {
        return new Refused(
                Reason.PROJECT_CLOSED,
                "The project of this key or token is closed: its sandboxes have ended, its"
                        + " snapshots stay until they expire, and nothing is accepted. Ask the"
                        + " operator to reopen it.");
    }

    static Refused expired() {
        return new Refused("Invalid API key: it has expired. Use another one.");
    }
}
