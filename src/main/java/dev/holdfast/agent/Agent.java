package dev.holdfast.agent;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The operations of a connected agent. A stage that fails does so with an {@link AgentException}.
 */
public final class Agent {

    private final AgentChannel channel;

    public Agent(AgentChannel channel) {
        this.channel = channel;
    }

    /** Where what it says is held. */
    Room room() {
        return channel.room();
    }

    /** The interpreters of the sandbox. */
    public Contexts contexts() {
        return new Contexts(channel);
    }

    public ProcessStream start(ProcessStart start, ProcessEvents events) {
        return ProcessStream.begin(channel, start.json(), events);
    }

    /** Output from now on; a process that ended less than 30 s ago tells its end. */
    public ProcessStream attach(ProcessRef process, ProcessEvents events) {
        var request = process.into(operation("process.attach")).build();
        return ProcessStream.begin(channel, request, events);
    }

    public CompletionStage<List<ProcessEntry>> processes() {
        return Answer.lines(
                channel, operation("process.list").build(), Bound.PROCESSES, ProcessEntry::of);
    }

    /**
     * Writes to the standard input of a process; completes when the process's pipe has taken all of
     * it.
     */
    public CompletionStage<Void> input(ProcessRef process, ByteBuffer bytes) {
        return input(process, false).finish(bytes);
    }

    /** Writes to the terminal of a process. */
    public CompletionStage<Void> type(ProcessRef process, ByteBuffer bytes) {
        return input(process, true).finish(bytes);
    }

    /** A stream into a process; closing it leaves the input of the process open. */
    public Upload<Void> input(ProcessRef process, boolean terminal) {
        var request = process.into(operation("process.input").add("pty", terminal)).build();
        return new Upload<>(channel, request, members -> null);
    }

    public CompletionStage<Void> closeStdin(ProcessRef process) {
        return answer(process.into(operation("process.closeStdin")).build(), members -> null);
    }

    public CompletionStage<Void> signal(ProcessRef process, int signal) {
        return answer(
                process.into(operation("process.signal").add("signal", signal)).build(),
                members -> null);
    }

    /**
     * To all processes of its session's first group: what a shell started without job control as
     * well.
     */
    public CompletionStage<Void> signalGroup(ProcessRef process, int signal) {
        var request = operation("process.signal").add("signal", signal).add("group", true);
        return answer(process.into(request).build(), members -> null);
    }

    public CompletionStage<Void> resize(ProcessRef process, ProcessStart.Terminal size) {
        var request =
                operation("process.resize").add("cols", size.columns()).add("rows", size.rows());
        return answer(process.into(request).build(), members -> null);
    }

    public CompletionStage<FileEntry> stat(String path, Optional<String> user) {
        return answer(file("file.stat", path, user).build(), Agent::entry);
    }

    /** Parents before children, names in byte order, links not followed. */
    public CompletionStage<List<FileEntry>> list(String path, Optional<String> user, int depth) {
        var request = file("file.list", path, user).add("depth", depth);
        return Answer.lines(channel, request.build(), Bound.DIRECTORY, FileEntry::of);
    }

    public CompletionStage<FileEntry> makeDirectory(String path, Optional<String> user) {
        return answer(file("file.makeDir", path, user).build(), Agent::entry);
    }

    public CompletionStage<FileEntry> move(
            String source, String destination, Optional<String> user) {
        var request =
                as(operation("file.move"), user)
                        .add("source", source)
                        .add("destination", destination);
        return answer(request.build(), Agent::entry);
    }

    /** With all that is in it; nothing at the path is success. */
    public CompletionStage<Void> remove(String path, Optional<String> user) {
        return answer(file("file.remove", path, user).build(), members -> null);
    }

    public FileBody read(String path, Optional<String> user) {
        return FileBody.begin(channel, file("file.read", path, user).build());
    }

    /** A part of the content; an offset below zero counts from the end. */
    public FileBody read(String path, Optional<String> user, long offset, long length) {
        var request = file("file.read", path, user).add("offset", offset).add("length", length);
        return FileBody.begin(channel, request.build());
    }

    /** Replaces the content in place, makes missing parents, and hands both to the user. */
    public Upload<FileEntry> write(String path, Optional<String> user) {
        return write(path, user, Map.of());
    }

    /** As above; afterwards the file has these metadata and no others. */
    public Upload<FileEntry> write(
            String path, Optional<String> user, Map<String, String> metadata) {
        var request = file("file.write", path, user).add("metadata", texts(metadata));
        return new Upload<>(channel, request.build(), Agent::entry);
    }

    /**
     * Tells what happens in a directory, and below it if that is asked for, until it is closed.
     *
     * @param entries whether what is created, written or changed is described
     */
    public WatchStream watch(
            String path,
            Optional<String> user,
            boolean recursive,
            boolean entries,
            WatchEvents events) {
        var request =
                file("file.watch", path, user).add("recursive", recursive).add("entries", entries);
        return WatchStream.begin(channel, request.build(), events);
    }

    /** What processes started from now on get. */
    public CompletionStage<Void> environment(Map<String, String> variables) {
        var request = operation("environment").add("env", texts(variables));
        return answer(request.build(), members -> null);
    }

    public CompletionStage<Identity.Report> identify(Identity identity) {
        return answer(identity.json(), Identity.Report::of);
    }

    /**
     * Ends every process and gives the sandbox a new boot ID; files stay. To identify it is next.
     */
    public CompletionStage<Void> reboot() {
        return answer(operation("reboot").build(), members -> null);
    }

    public CompletionStage<Usage> usage() {
        return answer(operation("usage").build(), Usage::of);
    }

    private <T> CompletionStage<T> answer(JsonObject request, Function<Members, T> reading) {
        return Answer.to(channel, request, reading);
    }

    private static FileEntry entry(Members members) {
        return FileEntry.of(members.object("entry"));
    }

    private static JsonObjectBuilder file(String operation, String path, Optional<String> user) {
        return as(operation(operation), user).add("path", path);
    }

    private static JsonObjectBuilder as(JsonObjectBuilder request, Optional<String> user) {
        user.ifPresent(name -> request.add("user", name));
        return request;
    }

    private static JsonObjectBuilder texts(Map<String, String> texts) {
        var members = Members.BUILDERS.createObjectBuilder();
        texts.forEach(members::add);
        return members;
    }

    private static JsonObjectBuilder operation(String name) {
        return Members.BUILDERS.createObjectBuilder().add("op", name);
    }
}
