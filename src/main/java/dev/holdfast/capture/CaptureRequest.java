package dev.holdfast.capture;

import dev.holdfast.snapshot.UploadId;
import jakarta.ejb.EJBException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Objects;
import java.util.UUID;

/** What travels on {@code holdfast.capture}. */
record CaptureRequest(UploadId upload) {

    static final String UPLOAD = "upload";

    CaptureRequest {
        Objects.requireNonNull(upload);
    }

    /** Reads what {@link CaptureRequests#send} wrote. */
    static CaptureRequest of(Message message) {
        try {
            return new CaptureRequest(
                    new UploadId(UUID.fromString(message.getStringProperty(UPLOAD))));
        } catch (JMSException e) {
            throw new EJBException(e); // it escapes the listener, and the message comes again
        }
    }
}
