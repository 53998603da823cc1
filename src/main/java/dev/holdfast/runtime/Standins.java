package dev.holdfast.runtime;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names of what a machine had open on the directories that it shares, and empty files and
 * directories in the place of that.
 *
 * <p>An image is restored only where all is that was open when it was written. Whoever looks into
 * one is given none of the shares; so the names are kept beside the image, in a file of their own,
 * and something is laid there under each. They are the guest's and are believed as little as it is:
 * none leads out of the directory in which it is laid, and there is a bound to all of them.
 */
final class Standins {
    private static final System.Logger LOG = System.getLogger(Standins.class.getName());

    private static final String FILE = "shares";
    private static final int LIMIT = 256 * 1024;

    private static final int KIND = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;

    private Standins() {}

    /** Something that the process of a machine has open on this host. */
    private record Opened(Path descriptor, long device, long number, int kind, boolean there) {

        boolean isOn(Opened other) {
            return device == other.device;
        }

        boolean isSameAs(Opened other) {
            return isOn(other) && number == other.number;
        }

        boolean hasName() {
            return there && (kind == REGULAR || kind == DIRECTORY);
        }

        /**
         * Its path as the mounts of the machine have it, in the form of an address; empty if it was
         * closed meanwhile.
         */
        String address() {
            try {
                String raw = Files.readSymbolicLink(descriptor).toUri().getRawPath();
                return raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
            } catch (IOException closed) {
                return "";
            }
        }
    }

    /** What is open now, a line for each: its kind, the share and the path in it. */
    static SortedSet<String> openIn(Cell cell, long process) {
        SortedSet<String> lines = new TreeSet<>();
        try {
            List<MachineSpec.Share> shares = shares(cell);
            List<Opened> opened = shares.isEmpty() ? List.of() : opened(process);
            for (MachineSpec.Share share : shares) {
                Optional<Opened> root = look(share.source());
                if (root.isPresent()) {
                    addOn(root.get(), share.where(), opened, lines);
                }
            }
        } catch (IOException | RuntimeException e) {
            // It can be restored all the same; only whoever looks into it may be refused.
            LOG.log(System.Logger.Level.WARNING, "What is open on shares is not known", e);
        }
        return lines;
    }

    /** Keeps the names beside an image, if there are any. */
    static void keep(SortedSet<String> lines, Path image) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            if (text.length() + line.length() < LIMIT) {
                text.append(line).append('\n');
            }
        }
        if (text.length() > 0) {
            Files.writeString(image.resolve(FILE), text, StandardCharsets.US_ASCII);
        }
    }

    /** Lays down in an empty directory what was open on a share when an image was written. */
    static void lay(Path image, String where, Path own) throws IOException {
        Path names = image.resolve(FILE);
        if (!Files.exists(names) || Files.size(names) > LIMIT) {
            return;
        }
        String root = own.toUri().getRawPath().replaceFirst("/$", "");
        for (String line : Files.readAllLines(names, StandardCharsets.ISO_8859_1)) {
            String[] parts = line.split(" ");
            if (parts.length == 3 && parts[1].equals(where)) {
                Optional<Path> place = below(own, root + parts[2]);
                if (place.isPresent()) {
                    make(place.get(), parts[0].equals("d"));
                }
            }
        }
    }

    private static void make(Path place, boolean directory) throws IOException {
        try {
            Files.createDirectories(directory ? place : place.getParent());
            if (!directory) {
                Files.createFile(place);
            }
        } catch (FileAlreadyExistsException e) {
            LOG.log(System.Logger.Level.DEBUG, "Open under two kinds, or twice: " + place, e);
        }
    }

    private static Optional<Path> below(Path own, String address) {
        try {
            Path place = Path.of(URI.create("file://" + address));
            return Optional.of(place)
                    .filter(path -> path.equals(path.normalize()) && path.startsWith(own));
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            return Optional.empty(); // not written by this class
        }
    }

    private static void addOn(
            Opened root, String where, List<Opened> opened, SortedSet<String> lines) {
        Optional<Opened> held = opened.stream().filter(each -> each.isSameAs(root)).findFirst();
        if (held.isEmpty()) {
            return;
        }
        String top = held.get().address();
        for (Opened each : opened) {
            String address = each.isOn(root) && each.hasName() ? each.address() : "";
            if (address.startsWith(top + "/")) {
                String kind = each.kind() == DIRECTORY ? "d" : "f";
                lines.add(kind + " " + where + " " + address.substring(top.length()));
            }
        }
    }

    private static List<Opened> opened(long process) throws IOException {
        List<Opened> opened = new ArrayList<>();
        try (DirectoryStream<Path> descriptors =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(process), "fd"))) {
            for (Path descriptor : descriptors) {
                look(descriptor).ifPresent(opened::add);
            }
        }
        return opened;
    }

    /** Empty for what was closed meanwhile. */
    private static Optional<Opened> look(Path path) {
        try {
            Map<String, Object> found = Files.readAttributes(path, "unix:dev,ino,mode,nlink");
            return Optional.of(
                    new Opened(
                            path,
                            (long) found.get("dev"),
                            (long) found.get("ino"),
                            (int) found.get("mode") & KIND,
                            (int) found.get("nlink") > 0));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What the machine was given, also by a server of before. */
    private static List<MachineSpec.Share> shares(Cell cell) throws IOException {
        Path bundle = Path.of(cell.bundle(), "config.json");
        try (JsonReader reader = Json.createReader(Files.newBufferedReader(bundle))) {
            return reader.readObject().getJsonArray("mounts").getValuesAs(JsonObject.class).stream()
                    .filter(mount -> mount.getString("type", "").equals("bind"))
                    .map(
                            mount ->
                                    new MachineSpec.Share(
                                            Path.of(mount.getString("source")),
                                            mount.getString("destination")))
                    .toList();
        }
    }
}
