package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.SharedServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BootIT {
    @Test
    void isReadyWithTheWarDeployed() throws Exception {
        var health = get(SharedServer.get().management() + "/health/ready");

        assertThat(health.statusCode()).isEqualTo(HttpURLConnection.HTTP_OK);
        assertThat(health.body()).contains("\"holdfast.war\":\"OK\"");
    }

    @Test
    void answersAnUnknownPathWithNotFound() throws Exception {
        assertThat(get(SharedServer.api() + "/no/such/path").statusCode())
                .isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
    }

    @Test
    void hasNoWayIntoTheServerOnThePublicPort() throws Exception {
        assertThat(get(SharedServer.api() + "/wildfly-services/naming/v1").statusCode())
                .isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
        assertThat(get(SharedServer.api() + "/management").statusCode())
                .isEqualTo(HttpURLConnection.HTTP_NOT_FOUND);
    }

    @Test
    void showsPoolAndQueueNumbersToTheOperator() throws Exception {
        var metrics = get(SharedServer.get().management() + "/prometheus").body();

        assertThat(metrics)
                .contains("HoldfastDS", "HoldfastNonXaDS", "HoldfastLeaseDS")
                .contains("holdfast.capture", "holdfast.runtime", "holdfast.events");
    }

    @Test
    void migratedTheSchemaBeforeItWasReady() throws SQLException {
        try (var connection = DriverManager.getConnection(SharedServer.get().databaseUrl());
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "select count(*) filter (where success), count(*)"
                                        + " from flyway_schema_history")) {
            rows.next();
            assertThat(rows.getInt(1)).isPositive().isEqualTo(rows.getInt(2));
        }
    }

    private static HttpResponse<String> get(String address)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(20)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
