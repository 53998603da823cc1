package dev.holdfast.runtime;

import java.nio.file.Path;

/** A prepared place for one machine: link, addresses, FIFOs and an empty disk. Used once. */
record Slot(int number, long disk, Path directory) {
    /** Tells which link and addresses belong to a directory; written before they are made. */
    static final String NUMBER = "slot";
}
