package dev.holdfast.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two FIFOs in a directory of their own. */
record Fifos(Path directory) implements AutoCloseable {

    static Fifos make() throws IOException, InterruptedException {
        var fifos = new Fifos(Files.createTempDirectory("agent"));
        var made =
                new ProcessBuilder("mkfifo", fifos.in().toString(), fifos.out().toString()).start();
        if (made.waitFor() != 0) {
            throw new IOException("mkfifo failed");
        }
        return fifos;
    }

    Path in() {
        return directory.resolve("in");
    }

    Path out() {
        return directory.resolve("out");
    }

    Path err() {
        return directory.resolve("err");
    }

    @Override
    public void close() throws IOException {
        for (var path : new Path[] {in(), out(), err(), directory}) {
            Files.deleteIfExists(path);
        }
    }
}
