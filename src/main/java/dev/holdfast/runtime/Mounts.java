package dev.holdfast.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Loop mounts. The device goes with its mount, so a crash can leave no device without one. */
final class Mounts {
    private static final String REMOVED = " (deleted)";

    private Mounts() {}

    static void image(Path image, Path where, String options) throws IOException {
        Files.createDirectories(where);
        Command.must("mount", "-o", "loop," + options, image.toString(), where.toString());
    }

    /** Past the page cache of the file below: the file system above has one already. */
    static void disk(Path image, Path where) throws IOException {
        disk(image, where, "noatime,discard");
    }

    /**
     * One that machines may still have is mounted from the device that they have: with another one
     * two kernels' worth of caches would write into one image.
     */
    static void disk(Path image, Path where, String options) throws IOException {
        Files.createDirectories(where);
        String device = deviceOf(image).orElseGet(() -> attach(image));
        try {
            Command.must("mount", "-o", options, device, where.toString());
        } finally {
            // While mounted this only marks the device to go with the mount.
            Command.run("losetup", "--detach", device);
        }
    }

    /** Other options for what is mounted, also while it is in use. */
    static void again(Path where, String options) {
        Command.must("mount", "-o", "remount," + options, where.toString());
    }

    /** Whether the kernel has taken an option for it. */
    static boolean has(Path where, String option) {
        return lines().stream()
                .filter(line -> point(line).equals(where))
                .anyMatch(line -> List.of(line.split(" ")[5].split(",")).contains(option));
    }

    private static String attach(Path image) {
        return Command.must("losetup", "--find", "--show", "--direct-io=on", image.toString());
    }

    /** The device over an image, also one that only a mount elsewhere keeps. */
    static Optional<String> deviceOf(Path image) {
        return devices().stream()
                .filter(device -> backing(device).equals(image.toString()) && isOver(device, image))
                .findFirst();
    }

    /** The name alone says little: in another container another file has the same one. */
    private static boolean isOver(String device, Path file) {
        try {
            long fileSystem = (long) Files.getAttribute(file, "unix:dev");
            String own =
                    Files.getAttribute(file, "unix:ino")
                            + " "
                            + (fileSystem >> 8 & 0xfff)
                            + ":"
                            + (fileSystem & 0xff | fileSystem >> 12 & 0xfff00);
            String seen =
                    Command.run("losetup", "--noheadings", "-O", "BACK-INO,BACK-MAJ:MIN", device)
                            .output();
            return seen.strip().replaceAll("\\s+", " ").equals(own);
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<String> devices() {
        try (DirectoryStream<Path> devices =
                Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            var found = new ArrayList<String>();
            devices.forEach(device -> found.add("/dev/" + device.getFileName()));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of the file that it is over; empty when it is over none. */
    private static String backing(String device) {
        Path file = Path.of("/sys/block", device.substring(5), "loop/backing_file");
        try {
            return Files.readString(file).strip();
        } catch (IOException none) {
            return "";
        }
    }

    static void unmount(Path where) {
        if (mounted(where)) {
            Command.must("umount", where.toString());
        }
    }

    static boolean mounted(Path where) {
        return under(where).contains(where);
    }

    /** Mount points at or below a directory, deepest first. */
    static List<Path> under(Path directory) {
        var found = new ArrayList<Path>();
        for (String line : lines()) {
            Path point = point(line);
            if (point.startsWith(directory)) {
                found.add(0, point);
            }
        }
        return found;
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(Path.of("/proc/self/mountinfo"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path point(String line) {
        return Path.of(unescaped(line.split(" ")[4]));
    }

    /** Detaches devices over files below a directory that have no mount: a crash in between. */
    static void detachUnder(Path directory) {
        for (String device : devices()) {
            String file = backing(device);
            if (file.startsWith(directory + "/")
                    && (file.endsWith(REMOVED) || isOver(device, Path.of(file)))) {
                Command.run("losetup", "--detach", device);
            }
        }
    }

    /** The kernel writes blanks and the like in octal. */
    private static String unescaped(String point) {
        return point.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
    }
}
