package dev.holdfast.expiry;

import jakarta.batch.api.AbstractBatchlet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
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
     * Takes one after the other, however many there are.
     *
     * @param behind some behind another one, or the first; none: there are no more
     */
    void each(Function<Optional<UUID>, List<UUID>> behind, Consumer<UUID> taking) {
        List<UUID> some = behind.apply(Optional.empty());
        while (!some.isEmpty() && !stopped) {
            some.stream().takeWhile(each -> !stopped).forEach(taking);
            some = behind.apply(Optional.of(some.get(some.size() - 1)));
        }
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
