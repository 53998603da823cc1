package dev.holdfast.drive;

import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Somebody's time on a volume. Until it is over its file system is neither taken away nor made
 * larger; to end it twice does nothing.
 */
final class Stay implements AutoCloseable {

    private final Path root;
    private final Supplier<Path> incoming;
    private final Supplier<Path> outgoing;
    private final Gate.Pass pass;

    Stay(Path root, Supplier<Path> incoming, Supplier<Path> outgoing, Gate.Pass pass) {
        this.root = root;
        this.incoming = incoming;
        this.outgoing = outgoing;
        this.pass = pass;
    }

    /** Where what sandboxes see of it is on this host. */
    Path root() {
        return root;
    }

    /** A place for what is not whole yet. */
    Path incoming() {
        return incoming.get();
    }

    /** A place for what is to be removed. */
    Path outgoing() {
        return outgoing.get();
    }

    @Override
    public void close() {
        pass.close();
    }
}
