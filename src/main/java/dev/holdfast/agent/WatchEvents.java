package dev.holdfast.agent;

/**
 * What happens in a watched directory, told one after the other and never at the same time, on the
 * channel's executor. {@link #onError} comes at most once and last; without it a watch ends only
 * when it is closed.
 */
public interface WatchEvents {

    /** From now on nothing is missed. */
    void onStarted();

    /**
     * @param cost how many bytes must be given back with {@link WatchStream#consumed} once the
     *     event is dealt with, or no more come
     */
    void onEvent(FileEvent event, int cost);

    /**
     * Everything that had happened when {@link WatchStream#mark} was called has been told; the cost
     * is to be given back like that of an event.
     */
    default void onMark(int cost) {}

    void onError(AgentException failure);
}
