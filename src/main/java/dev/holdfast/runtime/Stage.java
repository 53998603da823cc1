package dev.holdfast.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The root of a machine that shares directories. runsc makes the directory that it mounts one at
 * when there is none, and an image cannot be written to; so it is given an overlay over the image,
 * in which nothing but these directories is ever made. That is mounted where only the start of this
 * machine sees it: nothing is left behind, and the machine keeps what it was given.
 */
final class Stage {
    private static final String STAGED =
            """
            set -e
            err=$1 stage=$2 template=$3 disk=$4
            shift 4
            exec 2>"$err"
            mkdir -p -m 0711 "$stage"
            mount -t tmpfs -o mode=0711,size=64k holdfast "$stage"
            mkdir "$stage/root"
            cd "$disk"
            mkdir -m 0755 upper work
            mount -t overlay -o "lowerdir=$template,upperdir=upper,workdir=work" holdfast "$stage/root"
            cd /
            exec "$@"
            """;

    private Stage() {}

    static Path root(Path stage) {
        return stage.resolve("root");
    }

    /** The command that starts the machine, seeing that root. */
    static List<String> around(
            List<String> line, Path errors, Path stage, Path template, Path disk) {
        List<String> whole =
                new ArrayList<>(
                        List.of(
                                "unshare",
                                "--mount",
                                "--propagation",
                                "private",
                                "/bin/sh",
                                "-c",
                                STAGED,
                                "sh",
                                errors.toString(),
                                stage.toString(),
                                template.toString(),
                                disk.toString()));
        whole.addAll(line);
        return whole;
    }
}
