package dev.holdfast.capture;

import dev.holdfast.access.Principal;
import dev.holdfast.quota.Quotas;
import dev.holdfast.sandbox.Sandbox;
import dev.holdfast.sandbox.Sandboxes;
import dev.holdfast.snapshot.Annotations;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.Retentions;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.Snapshots;
import dev.holdfast.snapshot.UploadId;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import dev.holdfast.template.Templates;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Accepts captures of the system's own; from there on they are like every other. */
@Stateless
public class AutoCaptures {

    private static final Logger LOG = Logger.getLogger(AutoCaptures.class);

    @Inject Annotations annotations;
    @Inject CaptureConfig config;
    @Inject CaptureRequests requests;
    @Inject Quotas quotas;
    @Inject Retentions retentions;
    @Inject Sandboxes sandboxes;
    @Inject Snapshots snapshots;
    @Inject Templates templates;

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
        templates.requireKept(sandbox.template());
        quotas.reserve(order.project(), upload.value(), sandbox.size().memoryBytes(), deadline);
        Snapshot snapshot =
                snapshots.accept(
                        upload,
                        Kind.AUTO,
                        Optional.empty(),
                        true,
                        sandbox,
                        Principal.system().text(),
                        deadline);
        order.retention().ifPresent(asked -> retentions.askAtMost(snapshot, asked));
        annotations.label(snapshot, order.labels());
        requests.send(upload, sandbox.worker());
        Trail.mark(Mark.UPLOAD, upload);
        LOG.infof("Capture %s of sandbox %s goes to %s", upload, sandbox.id(), sandbox.worker());
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
