package dev.holdfast.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A running process that was started through the agent. */
public record ProcessEntry(
        long pid,
        Optional<String> tag,
        String command,
        List<String> arguments,
        Map<String, String> environment,
        Optional<String> directory,
        String user,
        boolean terminal) {

    private static final int MOST_VARIABLES = 10_000;

    static ProcessEntry of(Members members) {
        return new ProcessEntry(
                members.number("pid", 0),
                Optional.of(members.text("tag")).filter(tag -> members.has("tag")),
                members.text("cmd"),
                members.texts("args"),
                members.map("env", MOST_VARIABLES),
                Optional.of(members.text("cwd")).filter(path -> members.has("cwd")),
                members.text("user"),
                members.flag("terminal"));
    }
}
