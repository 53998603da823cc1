package dev.holdfast.agent;

import java.nio.ByteBuffer;

/**
 * What happens to a process, told one after the other and never at the same time, on the channel's
 * executor. Exactly one of {@link #onEnd} and {@link #onError} comes, last.
 */
public interface ProcessEvents {

    void onStarted(long pid);

    /**
     * Each byte must be given back with {@link ProcessStream#consumed} once it is dealt with, or
     * the output stops.
     */
    void onOutput(OutputChannel channel, ByteBuffer bytes);

    void onEnd(ProcessEnd end);

    void onError(AgentException failure);
}
