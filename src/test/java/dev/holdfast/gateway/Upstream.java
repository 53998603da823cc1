package dev.holdfast.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A program behind a port of a sandbox: tells what it was sent and answers as it is told. */
final class Upstream implements AutoCloseable {

    /** What it does with a connection, once the request's head was read. */
    interface Behaviour {
        void serve(InputStream in, OutputStream out) throws Exception;
    }

    private final ServerSocket server;
    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();

    Upstream(Behaviour behaviour) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread =
                new Thread(
                        () -> {
                            while (!server.isClosed()) {
                                serve(behaviour);
                            }
                        },
                        "upstream");
        thread.setDaemon(true);
        thread.start();
    }

    static Behaviour answers(String answer) {
        return (in, out) -> out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
    }

    int port() {
        return server.getLocalPort();
    }

    String head() throws InterruptedException {
        return heads.poll(5, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void serve(Behaviour behaviour) {
        try (Socket socket = server.accept()) {
            heads.add(readHead(socket.getInputStream()));
            behaviour.serve(socket.getInputStream(), socket.getOutputStream());
            socket.getOutputStream().flush();
        } catch (Exception e) {
            // The other side left or the test is over.
        }
    }

    static String readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("cut in the head: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
