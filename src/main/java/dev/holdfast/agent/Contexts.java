package dev.holdfast.agent;

import jakarta.json.JsonObjectBuilder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The interpreters of a sandbox. An agent of a sandbox that was saved before there were any answers
 * everything here with {@link ErrorCode#UNIMPLEMENTED}.
 */
public final class Contexts {

    private final AgentChannel channel;

    Contexts(AgentChannel channel) {
        this.channel = channel;
    }

    /**
     * @param language absent means Python; one that there is not is refused with those that there
     *     are
     * @param directory absent means the user's home
     */
    public CompletionStage<Context> create(Optional<String> language, Optional<String> directory) {
        var request = operation("context.create");
        language.ifPresent(name -> request.add("language", name));
        directory.ifPresent(path -> request.add("cwd", path));
        return Answer.to(channel, request.build(), Context::of);
    }

    /** Those that every language has are in it from the beginning. */
    public CompletionStage<List<Context>> list() {
        return Answer.lines(
                channel, operation("context.list").build(), Bound.CONTEXTS, Context::of);
    }

    /** Code of one context runs one after the other, in the order in which it came. */
    public ExecutionStream execute(ExecutionOrder order, ExecutionEvents events) {
        return ExecutionStream.begin(channel, order, events);
    }

    /** As a person would do with Ctrl-C; does nothing where no code runs. */
    public CompletionStage<Void> interrupt(ContextId context) {
        return Answer.to(channel, of("context.interrupt", context).build(), done -> null);
    }

    /** A new process in the same place; what ran in it fails, what waits for it runs. */
    public CompletionStage<Void> restart(ContextId context) {
        return Answer.to(channel, of("context.restart", context).build(), done -> null);
    }

    /** With all that runs in it or waits. */
    public CompletionStage<Void> remove(ContextId context) {
        return Answer.to(channel, of("context.remove", context).build(), done -> null);
    }

    /**
     * What may stand at that place of the code, from the names that live in the context; nothing
     * while code runs in it, and in a language that offers none.
     *
     * @param cursor in characters (code points) from the beginning
     */
    public CompletionStage<Completion> complete(ContextId context, String code, int cursor) {
        var request = of("context.complete", context).add("code", code).add("cursor", cursor);
        return Answer.to(channel, request.build(), Bound.COMPLETION, Completion::of);
    }

    /** Of those that code has made, in the order of their names; nothing while code runs. */
    public CompletionStage<List<Variable>> variables(ContextId context) {
        var request = of("context.variables", context);
        return Answer.lines(channel, request.build(), Bound.VARIABLES, Variable::of);
    }

    private static JsonObjectBuilder of(String name, ContextId context) {
        return operation(name).add("context", context.value());
    }

    private static JsonObjectBuilder operation(String name) {
        return Members.BUILDERS.createObjectBuilder().add("op", name);
    }
}
