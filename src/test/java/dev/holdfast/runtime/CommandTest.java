package dev.holdfast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CommandTest {

    @Test
    @Timeout(20)
    void endsAtItsDeadlineTogetherWithItsChildren() {
        Process process = Command.start(List.of("/bin/sh", "-c", "sleep 60; echo never"));
        List<ProcessHandle> children;
        do {
            children = process.descendants().toList();
        } while (children.isEmpty());

        Command ended = Command.await(process, Duration.ofMillis(500));

        assertThat(ended.late()).isTrue();
        assertThat(ended.failed()).isTrue();
        children.forEach(child -> child.onExit().join());
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void tellsAFailureFromADeadline() {
        var line = List.of("/bin/sh", "-c", "echo no; exit 3");

        Command ended = Command.await(Command.start(line), Duration.ofSeconds(10));

        assertThat(ended.late()).isFalse();
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.output()).isEqualTo("no");
    }
}
