package dev.holdfast.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.BuiltWar;
import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The WAR on a host that nobody prepared for sandboxes. */
@ExtendWith(ArquillianExtension.class)
class UnpreparedWorkerContainerIT {

    private static final String NO_BUILD = "there is no runtime build in ";
    private static final String NO_IMAGE = "there is no template image in ";

    @Deployment(testable = false)
    static WebArchive war() {
        return BuiltWar.with();
    }

    @Test
    void refusesASandboxSayingWhatItLacks() throws Exception {
        for (String template : new String[] {"base", "code-interpreter-v1"}) {
            HttpResponse<String> answer =
                    send(
                            signed("/sandboxes")
                                    .header("Content-Type", "application/json")
                                    .POST(
                                            BodyPublishers.ofString(
                                                    "{\"templateID\": \"" + template + "\"}")));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body()).contains("\"no_worker\"", NO_BUILD, NO_IMAGE);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    @Tag("R75")
    void knowsNothingOfTheFirstGenerationThatNobodyTurnedOn() throws Exception {
        HttpResponse<String> create =
                send(
                        signed("/sandboxes")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"templateID\": \"base-light\"}")));

        assertThat(create.statusCode()).as(create.body()).isEqualTo(404);
        assertThat(create.body()).contains("\"template_not_found\"");
        assertThat(send(signed("/templates/aliases/base-light").GET()).statusCode()).isEqualTo(404);
    }

    @Test
    void keepsAnsweringWhatNeedsNoWorker() throws Exception {
        assertThat(send(signed("/snapshots").GET()).statusCode()).isEqualTo(200);
        assertThat(SharedServer.bare().health())
                .startsWith("{\"status\":\"UP\"")
                .contains("\"name\":\"runtime\"", "\"required\":false", NO_BUILD);
    }

    @Test
    void saysInItsHealthWhatItLacks() throws Exception {
        String health =
                send(HttpRequest.newBuilder(
                                SharedServer.bare().management().resolve("/health/live")))
                        .body();

        assertThat(health)
                .contains("\"takesSandboxes\":false", NO_BUILD, NO_IMAGE)
                .contains("\"missing-for-generation-1-1\":\"not turned on\"");
    }

    @Test
    void saysInTheLogWhatItLacks() throws IOException {
        assertThat(Files.readString(SharedServer.bare().console()))
                .contains("Worker worker-1 takes none: " + NO_BUILD)
                .contains("Worker worker-1 takes none: " + NO_IMAGE)
                .doesNotContain("Worker worker-1 takes sandboxes");
    }

    private static HttpRequest.Builder signed(String path) throws IOException {
        return HttpRequest.newBuilder(URI.create(SharedServer.bare().api() + path))
                .header("X-API-Key", SharedServer.bare().apiKey());
    }

    private static HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }
}
