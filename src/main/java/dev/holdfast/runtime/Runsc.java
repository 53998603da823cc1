package dev.holdfast.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * runsc's command lines. Each machine has a state directory (--root) of its own: no name can be
 * taken for another, and removing the directory is all that is left to do after its processes are
 * dead (runsc delete would take more than a second for the same).
 */
record Runsc(Path build, Cell cell) implements Engine {
    /**
     * FIFOs are opened read-write by the shell, so that the sandbox holds both ends and never sees
     * an end of file when the server goes. Errors go to the machine's own disk: what root inside
     * writes there is bounded by its disk limit.
     */
    private static final String WITH_FIFOS =
            "i=$1 o=$2 e=$3; shift 3; exec \"$@\" <>\"$i\" 1<>\"$o\" 2>\"$e\"";

    @Override
    public List<String> run() {
        return attached("run", "-detach", "-pid-file", cell.pidFile(), "-bundle", cell.bundle());
    }

    List<String> restore(Path image) {
        return attached(
                "restore",
                "-detach",
                "-direct",
                "-image-path",
                image.toString(),
                "-pid-file",
                cell.pidFile(),
                "-bundle",
                cell.bundle());
    }

    List<String> checkpoint(Path directory) {
        return plain(
                "checkpoint",
                "-leave-running",
                "-compression",
                "none",
                "-direct",
                "-image-path",
                directory.toString());
    }

    @Override
    public Command pause() {
        return Command.await(Command.start(plain("pause")), Duration.ofSeconds(30));
    }

    @Override
    public Command resume() {
        return Command.await(Command.start(plain("resume")), Duration.ofSeconds(30));
    }

    @Override
    public boolean is(String status) {
        Command state = Command.await(Command.start(plain("state")), Duration.ofSeconds(30));
        return !state.failed() && state.output().contains("\"status\": \"" + status + "\"");
    }

    private List<String> attached(String verb, String... options) {
        var line = new ArrayList<>(List.of("/bin/sh", "-c", WITH_FIFOS, "sh"));
        line.add(cell.in().toString());
        line.add(cell.out().toString());
        line.add(cell.errors().toString());
        line.addAll(
                List.of(
                        build.toString(),
                        "-root",
                        cell.state().toString(),
                        "-platform",
                        "systrap",
                        "-net-disconnect-ok",
                        "-overlay2=root:dir=" + cell.disk(),
                        verb));
        line.addAll(List.of(options));
        line.add(cell.id().value());
        return line;
    }

    private List<String> plain(String verb, String... options) {
        var line = new ArrayList<String>();
        line.addAll(List.of(build.toString(), "-root", cell.state().toString(), verb));
        line.addAll(List.of(options));
        line.add(cell.id().value());
        return line;
    }
}
