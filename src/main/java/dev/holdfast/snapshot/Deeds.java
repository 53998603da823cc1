package dev.holdfast.snapshot;

import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;

/** What the audit is told of snapshots. */
final class Deeds {
    private Deeds() {}

    static Deed of(Action action, Snapshot snapshot) {
        return Deed.of(action, Subject.snapshot(snapshot.id()))
                .in(snapshot.project().value())
                .with("name", snapshot.name().orElse(null));
    }

    static Deed accepted(Snapshot snapshot) {
        return begun(snapshot, Action.SNAPSHOT_CAPTURE);
    }

    /** Of a capture that came to nothing; a pause and a fork have only their sandbox to show. */
    static Deed failed(Snapshot snapshot) {
        return begun(snapshot, Action.SNAPSHOT_SAVE)
                .with("detail", snapshot.failure().orElse(null));
    }

    private static Deed begun(Snapshot snapshot, Action ofSnapshot) {
        Deed deed =
                switch (snapshot.kind()) {
                    case SNAPSHOT, AUTO ->
                            of(ofSnapshot, snapshot).with("sandbox", snapshot.source());
                    case PAUSE -> ofSource(Action.SANDBOX_PAUSE, snapshot);
                    case FORK -> ofSource(Action.SANDBOX_FORK, snapshot);
                };
        return deed.by(snapshot.createdBy()).with("upload", snapshot.upload());
    }

    private static Deed ofSource(Action action, Snapshot snapshot) {
        return Deed.of(action, Subject.sandbox(snapshot.source())).in(snapshot.project().value());
    }
}
