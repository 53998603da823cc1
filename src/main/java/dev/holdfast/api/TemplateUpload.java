package dev.holdfast.api;

import dev.holdfast.build.Incoming;
import dev.holdfast.gateway.Taker;
import jakarta.ws.rs.core.Response;
import java.io.IOException;

/**
 * An archive of a template on its way in.
 *
 * @param accepted what is answered when it is there
 */
record TemplateUpload(Incoming incoming, Response accepted) implements Taker.Waiting {

    @Override
    public void take(byte[] bytes, int count) throws IOException {
        incoming.take(bytes, count);
    }

    @Override
    public Object complete() throws IOException {
        incoming.complete();
        return accepted;
    }

    @Override
    public void abandon(String why) {
        incoming.abandon(why);
    }
}
