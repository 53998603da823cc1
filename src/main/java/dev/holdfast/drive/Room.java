package dev.holdfast.drive;

/**
 * How full a volume is.
 *
 * @param total bytes for files; its limit but for what the file system needs itself
 */
public record Room(long total, long used) {}
