package dev.holdfast.operator;

import dev.holdfast.run.LocalServer;
import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What the metrics page says at one moment. */
public record Scrape(List<String> lines) {

    static Scrape take() throws IOException, InterruptedException {
        return take(SharedServer.get());
    }

    public static Scrape take(LocalServer server) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(server.management().resolve("/prometheus"))
                        .timeout(Duration.ofSeconds(20))
                        .build();
        var page = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        return new Scrape(page.lines().filter(line -> !line.startsWith("#")).toList());
    }

    /** The sum of the series of a name that carry all the labels; zero if there are none. */
    public double of(String name, String... labels) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Arrays.stream(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    boolean has(String name, String... labels) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{"))
                .anyMatch(line -> Arrays.stream(labels).allMatch(line::contains));
    }
}
