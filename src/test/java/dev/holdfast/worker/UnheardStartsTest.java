package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.PlayedExecutor;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.sandbox.Sandboxes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnheardStartsTest {

    private static final int AT_ONCE = 4;

    private final List<SandboxId> waiting = new ArrayList<>();
    private final List<SandboxId> started = new ArrayList<>();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final UnheardStarts starts = new UnheardStarts();
    private Executor threads = tasks::add;
    private boolean broken;

    @BeforeEach
    void begin() {
        IntStream.range(0, 6).forEach(i -> waiting.add(new SandboxId("i" + i)));
        starts.config = new WorkerConfig();
        starts.config.id = "worker-2";
        starts.sandboxes = new Waiting();
        starts.machines = new Started();
        starts.executor = PlayedExecutor.of(task -> threads.execute(task));
    }

    @Test
    void startsFewAtOnceAndThoseFirstThatWaitLongest() {
        starts.look();
        starts.look();
        assertThat(tasks).hasSize(AT_ONCE);
        run();
        assertThat(started).containsExactlyElementsOf(waiting.subList(0, AT_ONCE));

        waiting.removeAll(started);
        starts.look();
        run();
        assertThat(started).endsWith(new SandboxId("i4"), new SandboxId("i5")).hasSize(6);
    }

    @Test
    void triesAgainWhatCouldNotBeTried() {
        broken = true;
        starts.look();
        run();
        threads =
                task -> {
                    throw new RejectedExecutionException("full");
                };
        starts.look();
        assertThat(started).isEmpty();

        broken = false;
        threads = tasks::add;
        starts.look();
        run();
        assertThat(started).hasSize(AT_ONCE);
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private final class Waiting extends Sandboxes {
        @Override
        public List<SandboxId> notBegun(String worker) {
            assertThat(worker).isEqualTo("worker-2");
            return List.copyOf(waiting);
        }
    }

    private final class Started extends Machines {
        @Override
        void start(SandboxId id) {
            if (broken) {
                throw new IllegalStateException("the database is away");
            }
            started.add(id);
        }
    }
}
