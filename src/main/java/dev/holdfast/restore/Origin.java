package dev.holdfast.restore;

import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.template.Template;

/** What a reference stands for. */
sealed interface Origin {

    record FromTemplate(Template template) implements Origin {}

    /** The snapshot's row is locked until the end of the transaction. */
    record FromSnapshot(Snapshot snapshot) implements Origin {}
}
