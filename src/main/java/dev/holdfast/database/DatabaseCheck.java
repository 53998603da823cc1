package dev.holdfast.database;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Whether a request would get a connection and an answer. */
@Readiness
@ApplicationScoped
public class DatabaseCheck implements HealthCheck {

    private static final int PATIENCE_SECONDS = 5;

    @Resource(lookup = "java:jboss/datasources/HoldfastDS")
    DataSource database;

    @Override
    public HealthCheckResponse call() {
        var answer = HealthCheckResponse.named("database");
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.setQueryTimeout(PATIENCE_SECONDS);
            try (var rows =
                    statement.executeQuery(
                            "select max(version) from flyway_schema_history where success")) {
                rows.next();
                return answer.up().withData("schema", rows.getString(1)).build();
            }
        } catch (SQLException e) {
            return answer.down().withData("why", String.valueOf(e.getMessage())).build();
        }
    }
}
