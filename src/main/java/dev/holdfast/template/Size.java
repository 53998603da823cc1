package dev.holdfast.template;

/** What a sandbox may use: processors, memory and disk. */
public record Size(int cpus, int memoryMebibytes, int diskMebibytes) {

    private static final long MEBIBYTE = 1024L * 1024;

    public Size {
        if (cpus < 1 || memoryMebibytes < 1 || diskMebibytes < 1) {
            throw new IllegalArgumentException("a size is positive in every part");
        }
    }

    public long memoryBytes() {
        return memoryMebibytes * MEBIBYTE;
    }

    public long diskBytes() {
        return diskMebibytes * MEBIBYTE;
    }
}
