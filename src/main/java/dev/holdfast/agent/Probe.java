package dev.holdfast.agent;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonStructure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Looks into a sandbox by a program of ours that travels with each request: an agent in a saved
 * memory is as old as its snapshot, and can do nothing new but start a process. What the program
 * says is as hostile as the agent: lines, answers and numbers are bounded and checked here.
 */
public final class Probe {

    /** How deep a tree is looked at; deeper ones have no path that the kernel takes. */
    public static final int DEEPEST = 1000;

    private static final String PROGRAM = program();

    /**
     * What an archive has of an entry beside its content: heads, two longest paths, and filling.
     */
    private static final int MOST_BESIDE = 10 * 1024;

    /** What a sandbox sets for its own programs is not for ours. */
    private static final Map<String, String> PLAIN =
            Map.of("LD_PRELOAD", "", "LD_LIBRARY_PATH", "", "LANG", "C.UTF-8", "LC_ALL", "C.UTF-8");

    /**
     * A directory, or what else is at a path.
     *
     * @param path where it is, links followed
     * @param entries what is in it, by name
     * @param more whether others come behind them
     */
    public record Listing(GuestPath path, TreeEntry itself, List<TreeEntry> entries, boolean more) {
        public Listing {
            entries = List.copyOf(entries);
        }
    }

    private final Agent agent;

    /** What it answers can be given up: completed with a failure, it ends what looks. */
    public Probe(Agent agent) {
        this.agent = agent;
    }

    /** Stops every process but the agent; those that look into the sandbox later run. */
    public CompletionStage<Void> freeze() {
        ProbeOutput output = run(request("freeze"), false);
        return ending(
                output,
                lines(output)
                        .thenAccept(
                                lines -> {
                                    if (lines.toList().isEmpty()) {
                                        throw AgentException.reset("no answer");
                                    }
                                }));
    }

    /**
     * What is at a path.
     *
     * @param follow whether a link at its end is followed
     * @param after the name behind which the entries begin
     * @param limit how many of them; none: only the path itself
     */
    public CompletionStage<Listing> look(
            GuestPath path, boolean follow, Optional<GuestPath> after, int limit) {
        ProbeOutput output =
                run(
                        request("look")
                                .add("path", path.encoded())
                                .add("follow", follow)
                                .add("after", after.map(GuestPath::encoded).orElse(""))
                                .add("limit", limit),
                        false);
        return ending(output, lines(output).thenApply(lines -> listing(lines, limit)));
    }

    /**
     * The content of a regular file.
     *
     * @param offset below zero: from the end
     * @param length empty: all behind the offset
     * @param most more is refused, {@code resource_exhausted}
     */
    public CompletionStage<GuestBody> read(
            GuestPath path, long offset, Optional<Long> length, long most) {
        return body(
                request("read")
                        .add("path", path.encoded())
                        .add("offset", offset)
                        .add("length", length.orElse(-1L))
                        .add("most", most),
                promise -> {
                    if (promise.length() > most || promise.length() > length.orElse(most)) {
                        throw AgentException.reset("more is promised than was asked for");
                    }
                    return promise.length();
                });
    }

    /** A file or a directory with all that is in it, as a tar archive. */
    public CompletionStage<GuestBody> archive(GuestPath path, long most, int entries) {
        return body(
                request("archive")
                        .add("path", path.encoded())
                        .add("most", most)
                        .add("entries", entries)
                        .add("depth", DEEPEST),
                promise -> most + (entries + 1L) * MOST_BESIDE);
    }

    /**
     * The whole tree but what the machine makes up, {@link TreeWalk}.
     *
     * @param patience how long nothing may come
     * @param total how long all of it may take
     */
    public TreeWalk walk(int entries, Duration patience, Duration total) {
        var request = request("walk").add("entries", entries).add("depth", DEEPEST);
        return new TreeWalk(new ProbeLines(run(request, false), patience, total), entries);
    }

    /** The digests of files, in the order of their paths; empty where one cannot be read. */
    public List<Optional<String>> digests(List<GuestPath> paths, Duration patience) {
        ProbeOutput output = run(request("digest"), true);
        feed(output, paths);
        List<Optional<String>> digests = new ArrayList<>();
        try (ProbeLines lines = new ProbeLines(output, patience, patience)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                digests.add(digest(line.get().toString()));
                if (digests.size() > paths.size()) {
                    throw AgentException.reset("more digests than paths");
                }
            }
        }
        if (digests.size() != paths.size()) {
            throw AgentException.reset("fewer digests than paths");
        }
        return digests;
    }

    /** What runs and what is installed. */
    public GuestFacts facts(int most, Duration patience) {
        try (ProbeLines lines =
                new ProbeLines(
                        run(request("facts").add("most", most), false), patience, patience)) {
            return GuestFacts.of(lines::next, most);
        }
    }

    private void feed(ProbeOutput output, List<GuestPath> paths) {
        StringBuilder text = new StringBuilder();
        paths.forEach(path -> text.append(path.encoded()).append('\n'));
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
        output.pid()
                .thenCompose(
                        pid ->
                                agent.input(ProcessRef.pid(pid), bytes)
                                        .thenCompose(sent -> agent.closeStdin(ProcessRef.pid(pid))))
                .exceptionally(
                        failure -> {
                            output.cancel();
                            return null;
                        });
    }

    private static Optional<String> digest(String line) {
        return line.matches("\\[\"[0-9a-f]{64}\"]")
                ? Optional.of(line.substring(2, 66))
                : Optional.empty();
    }

    private static Listing listing(Stream<JsonStructure> lines, int limit) {
        TreeEntry itself = null;
        GuestPath path = null;
        List<TreeEntry> entries = new ArrayList<>();
        boolean more = false;
        for (var line = lines.iterator(); line.hasNext(); ) {
            if (!(line.next() instanceof JsonObject object)) {
                throw AgentException.reset("a listing that is none");
            }
            if (object.containsKey("path")) {
                path = ProbeLines.path(new Members(object).text("path"));
                itself = entry(object);
            } else if (object.containsKey("entry") && entries.size() < limit) {
                entries.add(entry(object));
            }
            more |= object.containsKey("more");
        }
        if (itself == null) {
            throw AgentException.reset("a listing of nothing");
        }
        return new Listing(path, itself, entries, more);
    }

    private static TreeEntry entry(JsonObject object) {
        if (object.get("entry") instanceof JsonArray line) {
            return TreeEntry.of(line);
        }
        throw AgentException.reset("an entry that is none");
    }

    private CompletionStage<GuestBody> body(
            JsonObjectBuilder request, ToLongFunction<GuestBody.Promise> most) {
        ProbeOutput output = run(request, false);
        return ending(output, head(output, new JsonLines(Bound.WALK, output.room()), most));
    }

    /**
     * The same, and its program is ended when it fails: also when whoever waits for it completes it
     * with a failure of its own, because it took too long.
     */
    private static <T> CompletionStage<T> ending(ProbeOutput output, CompletionStage<T> answer) {
        CompletableFuture<T> own = answer.toCompletableFuture();
        own.whenComplete(
                (value, failure) -> {
                    if (failure != null) {
                        output.cancel();
                    }
                });
        return own;
    }

    /** Up to the end of the first line; the rest of its piece is the first of the content. */
    private static CompletionStage<GuestBody> head(
            ProbeOutput output, JsonLines before, ToLongFunction<GuestBody.Promise> most) {
        return output.next()
                .thenCompose(
                        piece -> {
                            ByteBuffer bytes =
                                    piece.orElseThrow(() -> AgentException.reset("no answer"))
                                            .duplicate();
                            before.feed(bytes);
                            return before.next()
                                    .map(line -> promised(output, line, bytes, most))
                                    .map(CompletableFuture::completedStage)
                                    .orElseGet(() -> head(output, before, most));
                        });
    }

    private static GuestBody promised(
            ProbeOutput output,
            byte[] line,
            ByteBuffer rest,
            ToLongFunction<GuestBody.Promise> most) {
        if (!(ProbeLines.parsed(line) instanceof JsonObject object)) {
            throw AgentException.reset("a promise that is none");
        }
        GuestBody.Promise promise = GuestBody.Promise.of(new Members(object));
        return new GuestBody(promise, output, rest, most.applyAsLong(promise));
    }

    /** Each is read in its turn: many that are short are far larger once they all are read. */
    private static CompletionStage<Stream<JsonStructure>> lines(ProbeOutput output) {
        var room = output.room();
        return gather(output, new JsonLines(Bound.LOOK, room), new ArrayList<>())
                .thenApply(all -> all.stream().map(ProbeLines::parsed));
    }

    private static CompletionStage<List<byte[]>> gather(
            ProbeOutput output, JsonLines lines, List<byte[]> all) {
        return output.next()
                .thenCompose(
                        piece -> {
                            if (piece.isEmpty()) {
                                output.room().close();
                                return CompletableFuture.completedStage(all);
                            }
                            lines.feed(piece.get().duplicate());
                            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                                output.room().take(Bound.kept(line.get().length));
                                all.add(line.get());
                            }
                            return gather(output, lines, all);
                        });
    }

    private ProbeOutput run(JsonObjectBuilder request, boolean stdin) {
        ProcessStart start =
                ProcessStart.of(
                                "/usr/bin/python3",
                                "-I",
                                "-S",
                                "-B",
                                "-c",
                                PROGRAM,
                                request.build().toString())
                        .as("root")
                        .in("/")
                        .with(PLAIN);
        return ProbeOutput.begin(agent, stdin ? start.withStdin() : start);
    }

    private static JsonObjectBuilder request(String operation) {
        return Members.BUILDERS.createObjectBuilder().add("op", operation);
    }

    private static String program() {
        try (var in = Probe.class.getResourceAsStream("probe.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
