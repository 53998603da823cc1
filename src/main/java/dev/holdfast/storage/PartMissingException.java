package dev.holdfast.storage;

/** No object lies where the part should be. */
public final class PartMissingException extends PartException {

    private static final long serialVersionUID = 1L;

    public PartMissingException(ObjectKey key) {
        super(key, "part " + key + " is missing", null);
    }

    @Override
    public String reason() {
        return "missing";
    }
}
