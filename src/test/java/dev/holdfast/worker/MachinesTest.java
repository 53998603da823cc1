package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.sandbox.NetworkPolicy;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.template.Size;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A machine that nobody may touch: there is no runtime and no agent behind it. */
@Timeout(30)
class MachinesTest {

    private static final Path NOWHERE = Path.of("/nowhere");

    private final LiveSandbox sandbox =
            new LiveSandbox(
                    SandboxId.random(),
                    null,
                    null,
                    true,
                    NetworkPolicy.DEFAULT,
                    new Size(1, 256, 512));
    private final Machines machines = machines();

    @Test
    @Tag("R102")
    @Tag("R161")
    void standsStillForNothingThatNobodyWants() {
        assertThatThrownBy(() -> machines.freeze(sandbox.id(), NOWHERE, () -> false))
                .isInstanceOf(UnwantedException.class);
        assertThatThrownBy(() -> machines.hold(sandbox.id(), NOWHERE, () -> false))
                .isInstanceOf(UnwantedException.class);
        assertThat(sandbox.isHeld()).isFalse();
        assertThat(sandbox.freezing().isLocked()).isFalse();
    }

    /** The state of a capture that was ended is still being written when the next one begins. */
    @Test
    @Tag("R102")
    void waitsForAnotherCheckpointOnlyWhileItIsWanted() throws Exception {
        var locked = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        var other =
                CompletableFuture.runAsync(
                        () -> {
                            sandbox.freezing().lock();
                            locked.countDown();
                            try {
                                over.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } finally {
                                sandbox.freezing().unlock();
                            }
                        });
        locked.await();
        var asked = new AtomicInteger();
        try {
            assertThatThrownBy(
                            () ->
                                    machines.freeze(
                                            sandbox.id(),
                                            NOWHERE,
                                            () -> asked.incrementAndGet() < 2))
                    .isInstanceOf(UnwantedException.class);
        } finally {
            over.countDown();
            other.join();
        }
        assertThat(asked).hasValue(2);
    }

    private Machines machines() {
        var machines = new Machines();
        machines.live = new LiveSandboxes();
        machines.live.add(sandbox);
        return machines;
    }
}
