package dev.holdfast.gateway;

import dev.holdfast.drive.Entry;
import dev.holdfast.drive.Writing;
import java.util.function.Function;

/**
 * A file on its way into a volume.
 *
 * @param answer what is answered when it is there
 */
public record VolumeUpload(Writing writing, Function<Entry, Object> answer)
        implements Taker.Waiting {

    @Override
    public void take(byte[] bytes, int count) {
        writing.take(bytes, count);
    }

    @Override
    public Object complete() {
        return answer.apply(writing.complete());
    }

    @Override
    public void abandon(String why) {
        writing.abandon();
    }
}
