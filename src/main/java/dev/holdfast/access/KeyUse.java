package dev.holdfast.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sees to it that the last use of a key is written once a minute and no request waits for it. Holds
 * one entry for each key that was ever accepted here, so strangers cannot make it grow.
 */
@ApplicationScoped
public class KeyUse {
    private static final long PAUSE = Duration.ofMinutes(1).toNanos();

    private final ConcurrentHashMap<ApiKeyId, Long> written = new ConcurrentHashMap<>();

    @Inject private Keys keys;

    void seen(ApiKeyId id) {
        if (isDue(id, System.nanoTime())) {
            keys.noteUse(id);
        }
    }

    /** True for one of those who ask within a minute. */
    boolean isDue(ApiKeyId id, long now) {
        var last = written.get(id);
        if (last == null) {
            return written.putIfAbsent(id, now) == null;
        }
        return now - last >= PAUSE && written.replace(id, last, now);
    }
}
