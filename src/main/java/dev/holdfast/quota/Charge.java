package dev.holdfast.quota;

/** Bytes that are charged, and how many things they belong to. */
public record Charge(long bytes, long count) {

    Charge plus(Charge other) {
        return new Charge(bytes + other.bytes, count + other.count);
    }

    /** Never less than nothing: what is taken away may be counted elsewhere. */
    Charge minus(Charge other) {
        return new Charge(Math.max(0, bytes - other.bytes), Math.max(0, count - other.count));
    }
}
