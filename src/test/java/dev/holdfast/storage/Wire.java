package dev.holdfast.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** The way to a server, on which goes wrong what a test says. */
final class Wire implements AutoCloseable {

    private static final String BUSY =
            "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>slow down</Message></Error>";

    private final InetSocketAddress server;
    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Queue<Fault> requests = new ConcurrentLinkedQueue<>();
    private final Queue<Fault> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean closed;
    private volatile Pattern lost;
    private volatile CountDownLatch silence = new CountDownLatch(0);

    Wire(InetSocketAddress server) throws IOException {
        this.server = server;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    URI address() {
        return URI.create("http://localhost:" + entrance.getLocalPort());
    }

    /** Cuts so many connections, each after so many bytes of what is sent. */
    void cutRequests(int times, long after) {
        arm(requests, times, after, false);
    }

    /** The same of what comes back. */
    void cutAnswers(int times, long after) {
        arm(answers, times, after, false);
    }

    /** Turns one bit over, so many bytes on in what is sent from now on. */
    void flipRequests(long after) {
        arm(requests, 1, after, true);
    }

    /** The same of what comes back. */
    void flipAnswers(long after) {
        arm(answers, 1, after, true);
    }

    private static void arm(Queue<Fault> faults, int times, long after, boolean flips) {
        for (int i = 0; i < times; i++) {
            faults.add(new Fault(new AtomicLong(after), flips));
        }
    }

    /** Cuts the connection over which such a request comes, instead of its answer. */
    void loseAnswerTo(Pattern request) {
        lost = request;
    }

    /** How much of what is to go wrong is still to come. */
    int left() {
        return requests.size() + answers.size() + (lost == null ? 0 : 1);
    }

    /** Answers so many connections itself: the server has too much to do. */
    void refuse(int times) {
        refused.set(0);
        busy.set(times);
        open.forEach(Wire::cut);
    }

    /** How many were refused since. */
    int refused() {
        return refused.get();
    }

    /** Lets no answer through until the wire is closed. */
    void fallSilent() {
        silence = new CountDownLatch(1);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                hold(client);
                start(() -> serve(client));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    /** What comes while the wire is closed is closed as well. */
    private void hold(Socket socket) {
        open.add(socket);
        if (closed) {
            cut(socket);
        }
    }

    private void serve(Socket client) {
        try (client) {
            if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                refused.incrementAndGet();
                sayBusy(client);
                return;
            }
            try (Socket onward = new Socket(server.getHostString(), server.getPort())) {
                hold(onward);
                Thread back = start(() -> pump(onward, client, answers));
                pump(client, onward, requests);
                back.join();
                open.remove(onward);
            }
        } catch (IOException ended) {
            // as connections do
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    private void pump(Socket from, Socket to, Queue<Fault> faults) {
        byte[] chunk = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int got = in.read(chunk); got >= 0; got = in.read(chunk)) {
                if (faults == answers) {
                    silence.await();
                } else if (lost != null
                        && lost.matcher(new String(chunk, 0, got, ISO_8859_1)).find()) {
                    cutAnswers(1, 0);
                    lost = null;
                }
                Fault next = faults.peek();
                int passing = next == null ? got : next.pass(chunk, got);
                out.write(chunk, 0, passing);
                out.flush();
                if (next != null && next.isDone() && faults.remove(next) && !next.flips) {
                    break;
                }
            }
        } catch (IOException ended) {
            // as connections do
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        cut(from);
        cut(to);
    }

    /** Takes the request whole, so that the answer is seen. */
    private static void sayBusy(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return;
            }
            head.append((char) next);
        }
        in.skipNBytes(
                head.toString()
                        .lines()
                        .map(String::toLowerCase)
                        .filter(line -> line.startsWith("content-length:"))
                        .mapToLong(line -> Long.parseLong(line.substring(15).strip()))
                        .sum());
        client.getOutputStream()
                .write(
                        ("HTTP/1.1 503 Slow Down\r\nConnection: close\r\nContent-Type:"
                                        + " application/xml\r\nContent-Length: "
                                        + BUSY.length()
                                        + "\r\n\r\n"
                                        + BUSY)
                                .getBytes(US_ASCII));
        client.getOutputStream().flush();
    }

    /**
     * What happens to what comes over a way.
     *
     * @param left after how many bytes more, whichever connection they take
     * @param flips a bit is turned over there, and the connection goes on; else it is cut
     */
    private record Fault(AtomicLong left, boolean flips) {

        /** How many of these bytes go on. */
        int pass(byte[] chunk, int got) {
            long here = left.getAndAdd(-got);
            if (!flips) {
                return (int) Math.max(0, Math.min(got, here));
            }
            if (here >= 0 && here < got) {
                chunk[(int) here] ^= 1;
            }
            return got;
        }

        boolean isDone() {
            return flips ? left.get() < 0 : left.get() <= 0;
        }
    }

    private static void cut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work, "wire");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        entrance.close();
        silence.countDown();
        open.forEach(Wire::cut);
    }
}
