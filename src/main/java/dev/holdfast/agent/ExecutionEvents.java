package dev.holdfast.agent;

/**
 * What happens to code that was given to a context, told one after the other and never at the same
 * time, on the channel's executor. Exactly one of {@link #onEnd} and {@link #onError} comes, last.
 */
public interface ExecutionEvents {

    /** The order was taken; the code runs, or waits for what was given to the context before. */
    void onAccepted(ContextId context);

    /**
     * @param cost must be given back with {@link ExecutionStream#consumed} once the event is dealt
     *     with, or no more come
     */
    void onEvent(ExecutionEvent event, int cost);

    /** The code is over, well or with {@link ExecutionEvent.Failed}. */
    void onEnd();

    /** It could not be run, or what becomes of it cannot be told. */
    void onError(AgentException failure);
}
