package dev.holdfast.runtime;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a later run must know of a machine; kept in its directory.
 *
 * @param build null for generation 1
 * @param memory its limit in bytes
 * @param pid 0 while it starts
 * @param bornAt the kernel's start time of that process: a number used again is not the process
 */
record Registration(
        MachineId id,
        Generation generation,
        int slot,
        int block,
        Path build,
        Path template,
        Egress egress,
        long memory,
        long pid,
        long bornAt,
        Instant startedAt) {
    private static final int VERSION = 1;
    private static final String FILE = "record.json";
    private static final int LIMIT = 256 * 1024;

    Registration born(long pid, long bornAt, Instant at) {
        return new Registration(
                id, generation, slot, block, build, template, egress, memory, pid, bornAt, at);
    }

    Registration withEgress(Egress changed) {
        return new Registration(
                id,
                generation,
                slot,
                block,
                build,
                template,
                changed,
                memory,
                pid,
                bornAt,
                startedAt);
    }

    /** Empty if the machine is not whole or is not ours to read. */
    static Optional<Registration> read(Path directory) {
        try {
            Path file = directory.resolve(FILE);
            if (!Files.exists(file) || Files.size(file) > LIMIT) {
                return Optional.empty();
            }
            JsonObject json =
                    Json.createReader(new StringReader(Files.readString(file))).readObject();
            if (json.getInt("version") != VERSION) {
                return Optional.empty();
            }
            return Optional.of(
                    new Registration(
                            new MachineId(json.getString("id")),
                            // Records of older builds are all of the second.
                            Generation.of(json.getInt("generation", 2)),
                            json.getInt("slot"),
                            json.getInt("block"),
                            json.containsKey("build") ? Path.of(json.getString("build")) : null,
                            Path.of(json.getString("template")),
                            egress(json),
                            json.getJsonNumber("memory").longValueExact(),
                            json.getJsonNumber("pid").longValueExact(),
                            json.getJsonNumber("bornAt").longValueExact(),
                            Instant.parse(json.getString("startedAt"))));
        } catch (IOException | RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    void write(Path directory) throws IOException {
        JsonObjectBuilder json =
                Json.createObjectBuilder()
                        .add("version", VERSION)
                        .add("id", id.value())
                        .add("generation", generation.number())
                        .add("slot", slot)
                        .add("block", block)
                        .add("template", template.toString())
                        .add("internet", egress.open())
                        .add("allow", ranges(egress.allow()))
                        .add("deny", ranges(egress.deny()))
                        .add("names", Json.createArrayBuilder(egress.names()))
                        .add("memory", memory)
                        .add("pid", pid)
                        .add("bornAt", bornAt)
                        .add("startedAt", startedAt.toString());
        if (build != null) {
            json.add("build", build.toString());
        }
        Path fresh = directory.resolve(FILE + ".new");
        Files.writeString(fresh, json.build().toString());
        Files.move(fresh, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Records of older builds have no lists. */
    private static Egress egress(JsonObject json) {
        return new Egress(
                json.getBoolean("internet"),
                ranges(json, "allow"),
                ranges(json, "deny"),
                json.containsKey("names")
                        ? json.getJsonArray("names").getValuesAs(JsonString::getString)
                        : List.of());
    }

    private static JsonArrayBuilder ranges(List<Egress.Range> ranges) {
        JsonArrayBuilder array = Json.createArrayBuilder();
        ranges.forEach(range -> array.add(range.first()).add(range.last()));
        return array;
    }

    private static List<Egress.Range> ranges(JsonObject json, String name) {
        List<Long> ends =
                json.containsKey(name)
                        ? json.getJsonArray(name).getValuesAs(JsonNumber::longValueExact)
                        : List.of();
        return IntStream.range(0, ends.size() / 2)
                .mapToObj(i -> new Egress.Range(ends.get(2 * i), ends.get(2 * i + 1)))
                .toList();
    }

    boolean alive() {
        return pid > 0 && bornAt(pid).filter(at -> at == bornAt).isPresent();
    }

    /** Empty for a process that is gone or only waits to be reaped. */
    static Optional<Long> bornAt(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return dead ? Optional.empty() : Optional.of(Long.valueOf(fields[19]));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
