package dev.holdfast.capture;

import dev.holdfast.snapshot.UploadId;
import dev.holdfast.telemetry.Mark;
import dev.holdfast.telemetry.Trail;
import jakarta.ejb.EJBException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Objects;
import java.util.UUID;

/** What travels on {@code holdfast.capture}. */
record CaptureRequest(UploadId upload, Trail trail) {

    static final String UPLOAD = "upload";

    CaptureRequest {
        Objects.requireNonNull(upload);
        Objects.requireNonNull(trail);
    }

    /** Reads what {@link CaptureRequests#send} wrote. */
    static CaptureRequest of(Message message) {
        try {
            UploadId upload = new UploadId(UUID.fromString(message.getStringProperty(UPLOAD)));
            return new CaptureRequest(upload, Trail.of(message).with(Mark.UPLOAD, upload));
        } catch (JMSException e) {
            throw new EJBException(e); // it escapes the listener, and the message comes again
        }
    }
}
