package dev.holdfast.worker;

/**
 * A machine that stands still while its written state is made safe. Closed without being given up,
 * it goes on.
 */
public final class Held implements AutoCloseable {

    private final Frozen state;
    private final Runnable giveUp;
    private final Runnable goOn;
    private boolean given;

    Held(Frozen state, Runnable giveUp, Runnable goOn) {
        this.state = state;
        this.giveUp = giveUp;
        this.goOn = goOn;
    }

    public Frozen state() {
        return state;
    }

    /** The state is safe: what streams from the machine is cut, and it is ended. */
    public void giveUp() {
        given = true;
        giveUp.run();
    }

    @Override
    public void close() {
        if (!given) {
            goOn.run();
        }
    }
}
