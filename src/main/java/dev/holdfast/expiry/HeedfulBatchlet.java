package dev.holdfast.expiry;

import jakarta.batch.api.AbstractBatchlet;
import java.util.function.IntSupplier;

/** A batchlet that goes on piece by piece and hears between two of them that it is to stop. */
abstract class HeedfulBatchlet extends AbstractBatchlet {

    private volatile boolean stopped;

    @Override
    public void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /**
     * @param piece does some, and says how many; 0: there is no more
     * @return how many altogether
     */
    int untilNone(IntSupplier piece) {
        int all = 0;
        int some;
        do {
            some = piece.getAsInt();
            all += some;
        } while (some > 0 && !stopped);
        return all;
    }
}
