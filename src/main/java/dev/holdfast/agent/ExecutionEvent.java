package dev.holdfast.agent;

import jakarta.json.JsonValue;
import java.util.Map;
import java.util.Optional;

/** What code says while it runs. All of it comes from inside the sandbox. */
public sealed interface ExecutionEvent {

    /**
     * The code's turn has come; first of all.
     *
     * @param count how many executions the context has seen with this one
     */
    record Started(long count) implements ExecutionEvent {}

    /**
     * Text as it was written, in pieces; no character is cut.
     *
     * @param channel output or errors
     */
    record Output(OutputChannel channel, String text) implements ExecutionEvent {}

    /**
     * A value in as many formats as it has: {@code text}, {@code html}, {@code markdown}, {@code
     * svg}, {@code png}, {@code jpeg}, {@code pdf}, {@code latex}, {@code json}, {@code
     * javascript}, {@code data}, {@code chart}, and any other under its media type. Pictures are in
     * base64.
     *
     * @param main whether it is the value of the code itself, and not something it displayed
     */
    record Result(boolean main, Map<String, JsonValue> formats) implements ExecutionEvent {}

    /**
     * The code failed, was interrupted, or has ended its interpreter; nothing but the end follows.
     */
    record Failed(String name, String value, String traceback) implements ExecutionEvent {}

    /** Absent where the agent says what this side does not know. */
    static Optional<ExecutionEvent> of(Members members) {
        return Optional.ofNullable(
                switch (members.text("type")) {
                    case "started" -> new Started(members.number("count", 0));
                    case "result" ->
                            new Result(
                                    members.flag("main"),
                                    Map.copyOf(members.object("formats").json()));
                    case "error" ->
                            new Failed(
                                    members.text("name"),
                                    members.text("value"),
                                    members.text("traceback"));
                    default -> null;
                });
    }
}
