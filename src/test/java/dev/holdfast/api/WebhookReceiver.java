package dev.holdfast.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver as the README describes one, that can be stopped, or be in a bad mood. */
final class WebhookReceiver implements AutoCloseable {

    /** One event that it has taken, seen for the first time. */
    record Taken(
            String id, String type, String subject, Map<String, String> headers, byte[] body) {}

    private final List<Taken> taken = new ArrayList<>();
    private final Map<String, byte[]> seen = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int port;
    private int refusing;
    private int doubles;
    private int answer = 200;
    private volatile String secret = "";
    private HttpServer server;

    synchronized void start() throws IOException {
        server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        port = server.getAddress().getPort();
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::receive);
        server.start();
    }

    void stop() {
        server.stop(0);
    }

    String url() {
        return "http://127.0.0.1:" + port + "/hook?for=test";
    }

    void expect(String secret) {
        this.secret = secret;
    }

    /** So many of a hundred are refused, at random. */
    synchronized void refuse(int percent) {
        refusing = percent;
    }

    synchronized void answer(int status) {
        answer = status;
    }

    synchronized List<Taken> taken() {
        return List.copyOf(taken);
    }

    synchronized int doubles() {
        return doubles;
    }

    /** What was not signed as it should be. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    private void receive(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Map<String, String> headers = new HashMap<>();
        for (var name : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
            headers.put(name, exchange.getRequestHeaders().getFirst(name));
        }
        int status;
        synchronized (this) {
            status =
                    ThreadLocalRandom.current().nextInt(100) < refusing ? 503 : take(headers, body);
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private int take(Map<String, String> headers, byte[] body) {
        try {
            if (!isSigned(headers, body)) {
                wrong.add(headers.toString());
                return 400;
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        if (answer != 200) {
            return answer;
        }
        byte[] before = seen.putIfAbsent(headers.get("webhook-id"), body);
        if (before == null) {
            var event = new JsonPath(new String(body, StandardCharsets.UTF_8));
            if (!headers.get("webhook-id").equals(event.getString("id"))) {
                wrong.add(headers + " is about " + event.getString("id"));
            }
            taken.add(
                    new Taken(
                            headers.get("webhook-id"),
                            event.getString("type"),
                            event.getString("subject.id"),
                            headers,
                            body));
        } else {
            if (!Arrays.equals(before, body)) {
                wrong.add(headers + " says something else the second time");
            }
            doubles++;
        }
        return 200;
    }

    private boolean isSigned(Map<String, String> headers, byte[] body)
            throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(
                new SecretKeySpec(
                        Base64.getDecoder().decode(secret.substring("whsec_".length())),
                        "HmacSHA256"));
        mac.update(
                (headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + ".")
                        .getBytes(StandardCharsets.UTF_8));
        byte[] right =
                ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body)))
                        .getBytes(StandardCharsets.UTF_8);
        for (var each : headers.get("webhook-signature").split(" ")) {
            if (MessageDigest.isEqual(right, each.getBytes(StandardCharsets.UTF_8))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        stop();
    }
}
