package dev.holdfast.storage;

/** The object is there and is not the part: wrong length, wrong digest or not decodable. */
public final class PartCorruptException extends PartException {

    private static final long serialVersionUID = 1L;

    PartCorruptException(ObjectKey key, String what) {
        this(key, what, null);
    }

    PartCorruptException(ObjectKey key, String what, Throwable cause) {
        super(key, "part " + key + " is corrupt: " + what, cause);
    }

    @Override
    public String reason() {
        return "corrupt";
    }
}
