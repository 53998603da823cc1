package dev.holdfast.database;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Short statements whose answer is of use soon or never, such as the renewal of a lease. They have
 * connections of their own: one whose other end is silent for three seconds is closed, and the next
 * statement takes another. All other connections may have statements that take long, so they wait
 * for as long as the network does. Each statement is a transaction of its own.
 */
@ApplicationScoped
public class Prompt {

    @Resource(lookup = "java:jboss/datasources/HoldfastLeaseDS")
    DataSource database;

    /**
     * @return how many rows it has changed
     * @throws IllegalStateException when the database does not do it in time; it may have done it
     */
    public int update(String statement, Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement prepared = prepared(connection, statement, values)) {
            return prepared.executeUpdate();
        } catch (SQLException e) {
            throw unanswered(e);
        }
    }

    /**
     * Whether a query finds anything.
     *
     * @throws IllegalStateException when the database does not answer in time
     */
    public boolean finds(String query, Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement prepared = prepared(connection, query, values);
                ResultSet rows = prepared.executeQuery()) {
            return rows.next();
        } catch (SQLException e) {
            throw unanswered(e);
        }
    }

    private static PreparedStatement prepared(
            Connection connection, String statement, Object... values) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        for (int i = 0; i < values.length; i++) {
            prepared.setObject(i + 1, values[i]);
        }
        return prepared;
    }

    private static IllegalStateException unanswered(SQLException e) {
        return new IllegalStateException("the database did not answer in time", e);
    }
}
