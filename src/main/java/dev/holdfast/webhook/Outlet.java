package dev.holdfast.webhook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends one request. The name is looked up once, and the address that was looked at is the one that
 * is connected to, which the platform's HTTP client does not offer: a name that changes its mind in
 * between leads nowhere. No redirect is followed; the answer is bounded in time and size.
 */
final class Outlet {
    private static final int MOST_READ = 16 * 1024;
    private static final Pattern LENGTH =
            Pattern.compile("(?i)\r\ncontent-length: *(\\d{1,9})\r\n");
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})(?: .*)?");

    private final Reach reach;
    private final Duration patience;
    private final SSLSocketFactory tls;
    private final ScheduledExecutorService guard;
    private final ExecutorService names;

    /**
     * @param guard cuts off an endpoint that spells its answer out letter by letter
     * @param names where names are looked up, which nothing can cut off
     */
    Outlet(
            Reach reach,
            Duration patience,
            SSLSocketFactory tls,
            ScheduledExecutorService guard,
            ExecutorService names) {
        this.reach = reach;
        this.patience = patience;
        this.tls = tls;
        this.guard = guard;
        this.names = names;
    }

    Answer post(Destination to, Map<String, String> headers, byte[] body) {
        long end = System.nanoTime() + patience.toNanos();
        InetAddress address;
        try {
            address = names.submit(() -> address(to)).get(left(end), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return Answer.none("the name " + to.host() + " leads nowhere");
        } catch (TimeoutException | RejectedExecutionException | SocketTimeoutException e) {
            return Answer.none("the name " + to.host() + " is not answered for");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.none("this server stops");
        }
        if (!reach.allows(address)) {
            return Answer.none( // where it leads is nobody's business
                    to.host()
                            + " leads to an inner address, where no deliveries go unless the"
                            + " operator allows it");
        }
        Socket plain = new Socket();
        ScheduledFuture<?> cut =
                guard.schedule(() -> close(plain), end - System.nanoTime(), TimeUnit.NANOSECONDS);
        try (plain) {
            plain.connect(new InetSocketAddress(address, to.port()), left(end));
            plain.setSoTimeout(left(end));
            try (Socket socket = to.isSecure() ? secured(plain, to) : plain) {
                socket.getOutputStream().write(request(to, headers, body));
                socket.getOutputStream().flush();
                return read(socket, end);
            }
        } catch (SocketTimeoutException e) {
            return Answer.none("no answer within " + patience.toSeconds() + " s");
        } catch (IOException e) {
            return end - System.nanoTime() <= 0
                    ? Answer.none("no answer within " + patience.toSeconds() + " s")
                    : Answer.none("cannot be reached: " + e.getMessage());
        } finally {
            cut.cancel(false);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Whoever reads from it finds out.
        }
    }

    /** The first that may be; the first of all if none may be. */
    private InetAddress address(Destination to) throws UnknownHostException {
        InetAddress[] all = InetAddress.getAllByName(to.host());
        for (InetAddress each : all) {
            if (reach.allows(each)) {
                return each;
            }
        }
        return all[0];
    }

    private Socket secured(Socket plain, Destination to) throws IOException {
        SSLSocket socket = (SSLSocket) tls.createSocket(plain, to.host(), to.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static byte[] request(Destination to, Map<String, String> headers, byte[] body)
            throws IOException {
        StringBuilder head = new StringBuilder();
        head.append("POST ").append(to.target()).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(to.authority()).append("\r\n");
        head.append("Content-Type: application/json\r\n");
        head.append("Content-Length: ").append(body.length).append("\r\n");
        head.append("User-Agent: Holdfast-Webhook/1\r\n");
        head.append("Connection: close\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        request.write(body);
        return request.toByteArray();
    }

    /** Until it is whole, too long or too late; what counts is the first line. */
    private Answer read(Socket socket, long end) throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        try {
            int read = 0;
            while (read >= 0 && got.size() < MOST_READ && !isWhole(text(got))) {
                socket.setSoTimeout(left(end));
                read = in.read(buffer);
                got.write(buffer, 0, Math.max(read, 0));
            }
        } catch (IOException e) { // some close before they have read everything
            if (got.size() == 0) {
                throw e;
            }
        }
        return answer(text(got));
    }

    private static String text(ByteArrayOutputStream got) {
        return got.toString(StandardCharsets.ISO_8859_1);
    }

    /** Not all heed that the connection is to be closed. */
    static boolean isWhole(String text) {
        int head = text.indexOf("\r\n\r\n");
        if (head < 0) {
            return false;
        }
        Matcher length = LENGTH.matcher(text.substring(0, head + 2));
        return text.startsWith("204", "HTTP/1.1 ".length())
                || length.find() && text.length() - head - 4 >= Long.parseLong(length.group(1));
    }

    static Answer answer(String text) {
        int line = text.indexOf("\r\n");
        Matcher status = STATUS.matcher(line < 0 ? "" : text.substring(0, line));
        if (!status.matches()) {
            return Answer.none("what answers does not speak HTTP/1.1");
        }
        int body = text.indexOf("\r\n\r\n");
        return new Answer(
                OptionalInt.of(Integer.parseInt(status.group(1))),
                body < 0 ? "" : body(text.substring(0, body + 2), text.substring(body + 4)));
    }

    private static String body(String head, String rest) {
        return Chunks.are(head) ? Chunks.joined(rest) : rest;
    }

    private static int left(long end) throws SocketTimeoutException {
        long millis = (end - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) millis;
    }
}
