package dev.holdfast.sandbox;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;

/** What the audit is told of sandboxes. */
final class Deeds {
    private Deeds() {}

    static Deed of(Action action, Sandbox sandbox) {
        return Deed.of(action, Subject.sandbox(sandbox.id())).in(sandbox.project().value());
    }

    static Deed made(SandboxOrder order) {
        return Deed.of(action(order), Subject.sandbox(order.id()))
                .in(order.project().value())
                .by(order.createdBy())
                .with("template", order.template())
                .with("snapshot", order.snapshot().orElse(null));
    }

    static Deed replacement(Sandbox sandbox) {
        return of(Action.SANDBOX_RESTORE, sandbox)
                .with("snapshot", sandbox.image().orElse(null))
                .with("inPlace", true);
    }

    static Deed wentBack(Sandbox sandbox) {
        return of(Action.SANDBOX_RESTORE, sandbox)
                .with("inPlace", true)
                .with("stateBefore", sandbox.image().orElse(null))
                .with("detail", sandbox.endDetail().orElse(null));
    }

    /** It ends with its last capture. */
    static Deed killing(Sandbox sandbox, String actor) {
        return of(Action.SANDBOX_END, sandbox).by(actor).with("reason", EndReason.KILLED.words());
    }

    /** Also of one that never ran. */
    static Deed end(Sandbox sandbox) {
        return of(Action.SANDBOX_END, sandbox)
                .by(sandbox.endedBy().orElse(null))
                .with("reason", sandbox.endReason().map(EndReason::words).orElse(null))
                .with("detail", sandbox.endDetail().orElse(null));
    }

    private static Action action(SandboxOrder order) {
        if (order.snapshot().isPresent()) {
            return Action.SANDBOX_RESTORE;
        }
        return order.image().isPresent() ? Action.SANDBOX_FORK : Action.SANDBOX_CREATE;
    }
}
