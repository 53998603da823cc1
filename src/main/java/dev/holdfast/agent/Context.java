package dev.holdfast.agent;

/**
 * An interpreter of a sandbox with all its state; one process, once it was needed.
 *
 * @param directory where its code begins to run
 * @param busy whether code runs in it or waits for its turn
 */
public record Context(ContextId id, String language, String directory, boolean busy) {

    static Context of(Members members) {
        var id = members.text("id");
        if (!ContextId.isWellFormed(id)) {
            throw AgentException.reset("a context without an ID");
        }
        return new Context(
                new ContextId(id),
                members.text("language"),
                members.text("cwd"),
                members.flag("busy"));
    }
}
