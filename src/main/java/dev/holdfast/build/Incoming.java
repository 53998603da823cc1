package dev.holdfast.build;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * An archive on its way in. One thread at a time; ends with {@link #complete} or {@link #abandon}.
 */
public final class Incoming {

    private final Builds builds;
    private final Template template;
    private final Path place;
    private final OutputStream file;
    private final long most;
    private long length;

    Incoming(Builds builds, Template template, Path place, long most) throws IOException {
        this.builds = builds;
        this.template = template;
        this.place = place;
        this.most = most;
        this.file = Workshop.write(archive());
    }

    public Template template() {
        return template;
    }

    /**
     * Takes the next bytes.
     *
     * @throws Problem {@code body_too_large}
     */
    public void take(byte[] bytes, int count) throws IOException {
        length += count;
        if (length > most) {
            throw tooLarge(most);
        }
        file.write(bytes, 0, count);
    }

    /** It is there whole; the work is the server's from here on. */
    public void complete() throws IOException {
        file.close();
        try (FileChannel written = FileChannel.open(archive(), StandardOpenOption.WRITE)) {
            written.force(true);
        }
        builds.build(this);
    }

    /** It will not be there whole. */
    public void abandon(String why) {
        builds.abandon(this, why);
    }

    static Problem tooLarge(long most) {
        return new Problem(
                        Reason.BODY_TOO_LARGE,
                        "An archive has at most " + (most >> 20) + " MiB as it is sent.")
                .with("limit", most);
    }

    Path place() {
        return place;
    }

    Path archive() {
        return place.resolve("archive");
    }

    void close() throws IOException {
        file.close();
    }
}
