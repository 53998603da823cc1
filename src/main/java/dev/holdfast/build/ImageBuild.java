package dev.holdfast.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One run of the program that makes an image; it dies with the thread that waits for it. */
final class ImageBuild {

    private static final Logger LOG = Logger.getLogger(ImageBuild.class);
    private static final int ARCHIVE_AT_FAULT = 3;
    private static final int MOST_LOG = 64 * 1024;
    private static final int MOST_WORDS = 400;

    private final Process process;
    private final Path log;

    private ImageBuild(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static ImageBuild start(
            Path program, Path archive, Path place, Path base, int mebibytes, int files) {
        Path log = place.resolve("log");
        ProcessBuilder builder =
                new ProcessBuilder(
                                "nice",
                                "bash",
                                program.toString(),
                                archive.toString(),
                                place.toString(),
                                base.toString(),
                                Integer.toString(mebibytes),
                                Integer.toString(files))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"));
        try {
            return new ImageBuild(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until the image is there.
     *
     * @throws BuildFailure for whoever sent the archive
     */
    void await(Duration limit) throws BuildFailure, IOException {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new BuildFailure("it was not built by its deadline");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BuildFailure("the server was stopped in the middle of the build");
        } finally {
            end();
        }
        List<String> lines = lastLines();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        if (process.exitValue() == ARCHIVE_AT_FAULT) {
            throw new BuildFailure(last.substring(0, Math.min(last.length(), MOST_WORDS)));
        } else if (process.exitValue() != 0) {
            LOG.warnf("A template's image could not be built (%d): %s", process.exitValue(), lines);
            throw new BuildFailure("the server could not build it; its log says why");
        }
    }

    /** The archive has its say in the log, so it may be of any length and hold any bytes. */
    private List<String> lastLines() throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            in.skipNBytes(Math.max(0, Files.size(log) - MOST_LOG));
            return new String(in.readNBytes(MOST_LOG), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** All of it: its first process takes the others with it. */
    private void end() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
