package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of a list past the server: on a connection of its own, in one transaction each.
 */
public final class BareList implements AutoCloseable {

    private static final Pattern PARAMETER = Pattern.compile(":([a-zA-Z_]+)");
    private static final String VERDICTS =
            "select * from snapshot_verdict where snapshot_id in (:ids)";

    private final Connection connection;

    public BareList(String url) throws SQLException {
        connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
    }

    /** The IDs of a page, with one behind it if there is one. */
    public List<UUID> page(Listing listing) throws SQLException {
        plan();
        List<UUID> ids = new ArrayList<>();
        try (var statement = prepared("", text(listing));
                var rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    rows.getObject(i);
                }
                ids.add(rows.getObject("id", UUID.class));
            }
        }
        connection.commit();
        return ids;
    }

    /** The same, and the verdicts of what is on it: all that the API's answer needs. */
    public List<UUID> pageWithVerdicts(Listing listing) throws SQLException {
        List<UUID> ids = page(listing);
        if (!ids.isEmpty()) {
            try (var statement = prepared("", new ListingText(VERDICTS, Map.of("ids", ids)));
                    var rows = statement.executeQuery()) {
                while (rows.next()) {
                    rows.getObject("answer");
                }
            }
            connection.commit();
        }
        return ids;
    }

    /** The place at the end of a page. */
    public Place place(Sort sort, UUID id) throws SQLException {
        try (var statement =
                prepared(
                        "",
                        new ListingText(
                                "select cast("
                                        + (sort == Sort.CREATED || sort == Sort.EXPIRY
                                                ? moment(sort)
                                                : sort.key())
                                        + " as text) from snapshot s where s.id = :id",
                                Map.of("id", id)))) {
            try (var rows = statement.executeQuery()) {
                rows.next();
                return new Place(rows.getString(1), new dev.holdfast.snapshot.SnapshotId(id));
            }
        } finally {
            connection.commit();
        }
    }

    private static String moment(Sort sort) {
        return "case when "
                + sort.key()
                + " = 'infinity' then 'infinity' else to_char("
                + sort.key()
                + " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24\\:MI\\:SS.US\"Z\"') end";
    }

    /** How a page is read. */
    public String plan(Listing listing, boolean run) throws SQLException {
        return explained(text(listing), run);
    }

    /** How all are counted. */
    public String planOfSums(Listing listing) throws SQLException {
        return explained(
                ListingText.sums(
                        listing.project(),
                        listing.slug(),
                        listing.selection(),
                        kinds(listing.project(), listing.selection()),
                        Listing.COUNTED + 1),
                false);
    }

    public void sums(Listing listing) throws SQLException {
        plan();
        try (var statement =
                        prepared(
                                "",
                                ListingText.sums(
                                        listing.project(),
                                        listing.slug(),
                                        listing.selection(),
                                        kinds(listing.project(), listing.selection()),
                                        Listing.COUNTED + 1));
                var rows = statement.executeQuery()) {
            rows.next();
        }
        connection.commit();
    }

    private String explained(ListingText text, boolean run) throws SQLException {
        plan();
        var lines = new StringBuilder();
        try (var statement = prepared(run ? "explain (analyze, buffers) " : "explain ", text);
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                lines.append(rows.getString(1)).append('\n');
            }
        }
        connection.commit();
        return lines.toString();
    }

    private ListingText text(Listing listing) throws SQLException {
        return ListingText.page(listing, kinds(listing.project(), listing.selection()));
    }

    private Kinds kinds(ProjectId project, Selection selection) throws SQLException {
        if (selection.restorability().isEmpty()) {
            return Kinds.NOT_ASKED;
        }
        Map<String, Restorability> answers = new HashMap<>();
        try (var statement =
                        prepared(
                                "",
                                new ListingText(
                                        Listings.KINDS, Map.of("project", project.value())));
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                answers.put(
                        rows.getString("needs"), Restorability.valueOf(rows.getString("answer")));
            }
        }
        return new Kinds(answers);
    }

    private void plan() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(Listings.PLANNING);
        }
    }

    private PreparedStatement prepared(String prefix, ListingText text) throws SQLException {
        List<Object> values = new ArrayList<>();
        Matcher found = PARAMETER.matcher(text.sql());
        var sql = new StringBuilder(prefix);
        while (found.find()) {
            if (found.start() > 0 && text.sql().charAt(found.start() - 1) == '\\') {
                continue;
            }
            Object value = text.values().get(found.group(1));
            if (value instanceof Collection<?> many) {
                values.addAll(many);
                found.appendReplacement(
                        sql, String.join(", ", many.stream().map(x -> "?").toList()));
            } else {
                values.add(value);
                found.appendReplacement(sql, "?");
            }
        }
        found.appendTail(sql);
        var statement = connection.prepareStatement(sql.toString().replace("\\:", ":"));
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
