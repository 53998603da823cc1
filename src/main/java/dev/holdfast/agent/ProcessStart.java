package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What to start. Relative paths are below the user's home; an absent user is the sandbox's ordinary
 * one.
 */
public record ProcessStart(
        String command,
        List<String> arguments,
        Map<String, String> environment,
        Optional<String> directory,
        Optional<String> user,
        Optional<String> tag,
        Optional<Terminal> terminal,
        boolean stdin) {

    /** The size of a terminal in characters. */
    public record Terminal(int columns, int rows) {
        public Terminal {
            if (columns < 1 || columns > 65535 || rows < 1 || rows > 65535) {
                throw new IllegalArgumentException("a terminal has 1 to 65535 columns and rows");
            }
        }
    }

    public ProcessStart {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("a process needs a command");
        }
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        Objects.requireNonNull(directory);
        Objects.requireNonNull(user);
        Objects.requireNonNull(tag);
        Objects.requireNonNull(terminal);
    }

    /** A command with its arguments, nothing else asked for. */
    public static ProcessStart of(String command, String... arguments) {
        return new ProcessStart(
                command,
                List.of(arguments),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    public ProcessStart as(String name) {
        return new ProcessStart(
                command,
                arguments,
                environment,
                directory,
                Optional.of(name),
                tag,
                terminal,
                stdin);
    }

    public ProcessStart in(String path) {
        return new ProcessStart(
                command, arguments, environment, Optional.of(path), user, tag, terminal, stdin);
    }

    public ProcessStart tagged(String name) {
        return new ProcessStart(
                command,
                arguments,
                environment,
                directory,
                user,
                Optional.of(name),
                terminal,
                stdin);
    }

    public ProcessStart with(Map<String, String> variables) {
        return new ProcessStart(
                command, arguments, variables, directory, user, tag, terminal, stdin);
    }

    public ProcessStart withStdin() {
        return new ProcessStart(
                command, arguments, environment, directory, user, tag, terminal, true);
    }

    public ProcessStart on(Terminal size) {
        return new ProcessStart(
                command, arguments, environment, directory, user, tag, Optional.of(size), stdin);
    }

    JsonObject json() {
        var env = Members.BUILDERS.createObjectBuilder();
        environment.forEach(env::add);
        var request =
                Members.BUILDERS
                        .createObjectBuilder()
                        .add("op", "process.start")
                        .add("cmd", command)
                        .add("args", Members.BUILDERS.createArrayBuilder(arguments))
                        .add("env", env)
                        .add("stdin", stdin);
        directory.ifPresent(path -> request.add("cwd", path));
        user.ifPresent(name -> request.add("user", name));
        tag.ifPresent(name -> request.add("tag", name));
        terminal.ifPresent(
                size ->
                        request.add(
                                "pty",
                                Members.BUILDERS
                                        .createObjectBuilder()
                                        .add("cols", size.columns())
                                        .add("rows", size.rows())));
        return request.build();
    }
}
