package dev.holdfast.capture;

import dev.holdfast.event.Broker;
import dev.holdfast.event.Handout;
import dev.holdfast.snapshot.UploadId;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;

/** Hands a capture to the sandbox's worker, in the transaction that accepted it. */
@Stateless
public class CaptureRequests {

    private static final int CURRENT_VERSION = 1;
    @Inject Broker broker;

    /**
     * @throws dev.holdfast.problem.Problem {@code broker_unavailable}
     */
    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void send(UploadId upload, String worker) {
        broker.send(
                new Handout(
                        Handout.Line.CAPTURE,
                        upload.toString(),
                        Map.of(
                                "version",
                                CURRENT_VERSION,
                                CaptureRequest.UPLOAD,
                                upload.toString(),
                                "worker",
                                worker),
                        Duration.ZERO));
    }
}
