package dev.holdfast.api;

import dev.holdfast.run.SharedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads server-sent events as any client does, from the page that describes them. */
final class EventReader implements AutoCloseable {

    record Told(String id, String type, String data) {}

    private static final Told END = new Told("", "end", "");

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final InputStream body;
    private volatile String lastId = "";

    private EventReader(InputStream body) {
        this.body = body;
        Thread reading = new Thread(this::read, "events");
        reading.setDaemon(true);
        reading.start();
    }

    static EventReader open(String key, String path, String lastEventId)
            throws IOException, InterruptedException {
        var answer = ask(key, path, lastEventId);
        if (answer.statusCode() != 200) {
            throw new IOException("answered " + answer.statusCode());
        }
        return new EventReader(answer.body());
    }

    static HttpResponse<InputStream> ask(String key, String path, String lastEventId)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(SharedServer.api() + "/api/v1" + path))
                        .header("X-API-Key", key)
                        .header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return client.send(request.build(), BodyHandlers.ofInputStream());
    }

    /** What a client that comes again says. */
    String lastId() {
        return lastId;
    }

    /** The next so many, or fewer if they do not come in time. */
    List<Told> next(int many) throws InterruptedException {
        List<Told> got = new ArrayList<>();
        while (got.size() < many) {
            Told one = told.poll(10, TimeUnit.SECONDS);
            if (one == null) {
                break;
            }
            got.add(one);
        }
        return got;
    }

    boolean ends() throws InterruptedException {
        Told one;
        do {
            one = told.poll(10, TimeUnit.SECONDS);
        } while (one != null && one != END);
        return one == END;
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String type = "message";
            String data = "";
            String line;
            while ((line = lines.readLine()) != null) {
                if (line.isEmpty()) {
                    if (!data.isEmpty()) {
                        told.add(new Told(lastId, type, data));
                    }
                    type = "message";
                    data = "";
                } else if (line.startsWith("id: ")) {
                    lastId = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    type = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                }
            }
        } catch (IOException e) {
            // cut off, which is an end too
        }
        told.add(END);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
