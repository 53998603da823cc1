package dev.holdfast.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One address in front of several servers: each connection goes to the next of them in turn, past
 * those that are not ready and those that take none. It knows nothing of HTTP; a connection stays
 * where it began.
 */
final class Balancer implements AutoCloseable {
    private static final int CONNECTING_MILLIS = 2_000;

    private final ServerSocket front;
    private final List<Node> behind;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads =
            Executors.newCachedThreadPool(
                    work -> {
                        var thread = new Thread(work, "balancer");
                        thread.setDaemon(true);
                        return thread;
                    });
    private int next;

    Balancer(int port, List<Node> behind) throws IOException {
        this.behind = List.copyOf(behind);
        front = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                var client = front.accept();
                open.add(client);
                int first = next++;
                threads.execute(() -> serve(client, first));
            } catch (IOException closed) {
                // The loop looks why.
            }
        }
    }

    private void serve(Socket client, int first) {
        for (int i = 0; i < behind.size(); i++) {
            var node = behind.get(Math.floorMod(first + i, behind.size()));
            if (!node.isReady()) {
                continue;
            }
            var server = new Socket();
            try {
                server.connect(node.address(), CONNECTING_MILLIS);
                open.add(server);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                threads.execute(() -> pass(server, client));
                pass(client, server);
                return;
            } catch (IOException refused) {
                end(server);
            }
        }
        end(client);
    }

    /** The end of one direction is passed on like its bytes; whoever breaks, breaks both. */
    private void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
            if (from.isOutputShutdown()) {
                end(from);
                end(to);
            }
        } catch (IOException broken) {
            end(from);
            end(to);
        }
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException gone) {
            // Nobody waits for it any more.
        }
    }

    @Override
    public void close() {
        try {
            front.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(this::end);
        threads.shutdownNow();
    }
}
