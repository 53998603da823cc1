package dev.holdfast.fleet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * The way to a database, on which the connections that there are can fall silent, as when a
 * firewall has forgotten them: none is closed, nothing comes through, and new ones work.
 */
final class Line implements AutoCloseable {

    private final int target;
    private final ServerSocket entrance;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch silence = new CountDownLatch(0);
    private volatile int silent;

    Line(int target) throws IOException {
        this.target = target;
        entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return entrance.getLocalPort();
    }

    void fallSilent() {
        silence = new CountDownLatch(1);
        silent = sockets.size();
    }

    /** The same, and new ones too: nobody comes through. */
    void cut() {
        silence = new CountDownLatch(1);
        silent = Integer.MAX_VALUE;
    }

    /** What was held back comes through. */
    void speak() {
        silent = 0;
        silence.countDown();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                int number = sockets.size();
                sockets.add(client);
                sockets.add(server);
                start(() -> pump(number, client, server));
                start(() -> pump(number, server, client));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void pump(int number, Socket from, Socket to) {
        byte[] chunk = new byte[8192];
        try (from;
                to) {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (int got = in.read(chunk); got >= 0; got = in.read(chunk)) {
                if (number < silent) {
                    silence.await();
                }
                out.write(chunk, 0, got);
                out.flush();
            }
        } catch (IOException ended) {
            // as connections do
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(Runnable work) {
        var thread = new Thread(work, "line");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        speak();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
