package dev.holdfast.access;

/** A new key with its secret: the only time the two are together. */
public record IssuedKey(ApiKey key, KeySecret secret) {}
