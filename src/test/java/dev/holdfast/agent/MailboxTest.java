package dev.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs what is posted when the test says so, and posts more meanwhile. */
class MailboxTest {

    private final Deque<Runnable> runs = new ArrayDeque<>();
    private final Mailbox mailbox =
            new Mailbox(
                    runs::add,
                    problem -> {
                        throw new AssertionError(problem);
                    });
    private final StringBuilder received = new StringBuilder();
    private int posted;
    private int calls;

    @Test
    void keepsTheOrderOfPiecesThatComeWhileManyWait() {
        post(300);
        runs.remove().run();
        assertThat(received.toString()).isEqualTo(numbers(posted));
        assertThat(posted).isEqualTo(300 + 40 * 20);
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            byte[] text = (posted++ + " ").getBytes(StandardCharsets.US_ASCII);
            mailbox.post(1, ByteBuffer.wrap(text), this::receive);
        }
    }

    /** Few wait at times and many at others, while a pile is still among them. */
    private void receive(int sub, ByteBuffer bytes) {
        received.append(StandardCharsets.US_ASCII.decode(bytes));
        calls++;
        if (calls % 5 == 0 && calls <= 200) {
            post(20);
        }
    }

    private static String numbers(int count) {
        return String.join("", IntStream.range(0, count).mapToObj(i -> i + " ").toList());
    }
}
