package dev.holdfast.capture;

import dev.holdfast.access.Principal;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Annotations;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.UploadId;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;

/** Accepts captures of the system's own; from there on they are like every other. */
@Stateless
public class AutoCaptures {

    @Inject Annotations annotations;
    @Inject CaptureConfig config;
    @Inject Handover handover;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;

    /**
     * Accepts a capture in the caller's transaction: takes the sandbox, reserves its room, and
     * hands it to the worker, or changes nothing.
     *
     * @throws dev.holdfast.problem.Problem as for a capture that somebody asks for
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public Snapshot accept(AutoOrder order) {
        UploadId upload = UploadId.random();
        Duration deadline =
                order.end()
                        .map(AutoOrder.End::within)
                        .filter(most -> most.compareTo(config.deadline()) < 0)
                        .orElse(config.deadline());
        Sandbox sandbox = take(order, upload);
        Snapshot snapshot =
                handover.charged(
                        upload,
                        Kind.AUTO,
                        Optional.empty(),
                        true,
                        sandbox,
                        deadline,
                        Principal.system().text());
        order.retention().ifPresent(asked -> retentions.askAtMost(snapshot, asked));
        annotations.label(snapshot, order.labels());
        return snapshot;
    }

    private Sandbox take(AutoOrder order, UploadId upload) {
        return order.end()
                .map(
                        end ->
                                sandboxes.beginParting(
                                        order.project(),
                                        order.source(),
                                        upload.value(),
                                        end.why(),
                                        end.actor()))
                .orElseGet(
                        () ->
                                sandboxes.beginCapture(
                                        order.project(), order.source(), upload.value()));
    }
}
