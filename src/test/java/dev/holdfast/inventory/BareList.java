package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.database.ArrayText;
import dev.holdfast.snapshot.SnapshotId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements of a list past the server, on a connection of its own. */
public final class BareList implements AutoCloseable {

    private static final Pattern PARAMETER = Pattern.compile(":([a-zA-Z_]+)");
    private static final String VERDICTS = "select * from snapshot_verdicts(cast(:ids as uuid[]))";
    private static final String CALLER =
            "select k.*, now(), p.closed_at from api_key k left join project p on p.id ="
                    + " k.project_id where k.sha256 = sha256(convert_to(:key, 'UTF8'))";
    private static final String PROJECT =
            "select p.*, e.* from project p left join retention_policy e on e.project_id = p.id"
                    + " where p.id = :project";

    private final Connection connection;

    public BareList(String url) throws SQLException {
        this(DriverManager.getConnection(url));
    }

    /** Closes it in the end, with what is not committed. */
    public BareList(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute(Listings.PLANNING.replace("true", "false"));
        }
    }

    /** Who asks and what rules the project: what the API's answer needs before its rows. */
    public void caller(String key, ProjectId project) throws SQLException {
        read(new ListingText(CALLER, Map.of("key", key)));
        connection.commit();
        read(new ListingText(PROJECT, Map.of("project", project.value())));
    }

    /** The rows of a page and the verdicts of what is on it: all that the API's answer needs. */
    public int page(Listing listing) throws SQLException {
        List<UUID> ids = new ArrayList<>();
        read(text(listing), rows -> ids.add(rows.getObject("id", UUID.class)));
        if (!ids.isEmpty()) {
            read(new ListingText(VERDICTS, Map.of("ids", ArrayText.of(ids))));
        }
        connection.commit();
        return ids.size();
    }

    /** What else is done with a row. */
    private interface Row {
        void look(ResultSet rows) throws SQLException;
    }

    private void read(ListingText text) throws SQLException {
        read(text, rows -> {});
    }

    private void read(ListingText text, Row each) throws SQLException {
        try (var statement = prepared("", text);
                var rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    rows.getObject(i);
                }
                each.look(rows);
            }
        }
    }

    /** How many there are, without a bound. */
    public long count(Listing listing) throws SQLException {
        try (var statement = prepared("", all(listing, "count(*)", ""));
                var rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        } finally {
            connection.commit();
        }
    }

    /** The place of the row that so many are before. */
    public Place place(Listing listing, long before) throws SQLException {
        Sort sort = listing.order().sort();
        String key =
                sort == Sort.CREATED || sort == Sort.EXPIRY ? moment(sort) : sort.key() + "::text";
        try (var statement =
                        prepared(
                                "",
                                all(
                                        listing,
                                        key.replace(":", "\\:") + ", s.id",
                                        listing.way().text() + " offset " + before + " limit 1"));
                var rows = statement.executeQuery()) {
            rows.next();
            return new Place(rows.getString(1), new SnapshotId(rows.getObject(2, UUID.class)));
        } finally {
            connection.commit();
        }
    }

    private ListingText all(Listing listing, String columns, String end) throws SQLException {
        ListingText sums = sums(listing, Integer.MAX_VALUE);
        return new ListingText(
                sums.sql()
                                .replace("count(*), coalesce(sum(s.list_size), 0)", columns)
                                .replace(
                                        "s.list_size from snapshot",
                                        "s.id, s.created_at, s.list_size, s.list_expiry,"
                                                + " s.list_name from snapshot")
                        + end,
                sums.values());
    }

    private ListingText sums(Listing listing, int most) throws SQLException {
        return ListingText.sums(
                listing.project(),
                listing.slug(),
                listing.selection(),
                kinds(listing.project(), listing.selection()),
                most);
    }

    private static String moment(Sort sort) {
        return "case when "
                + sort.key()
                + " = 'infinity' then 'infinity' else to_char("
                + sort.key()
                + " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') end";
    }

    /** How a page is read. */
    public String plan(Listing listing, boolean run) throws SQLException {
        return explained(text(listing), run);
    }

    /** How they are counted. */
    public String planOfSums(Listing listing, boolean run) throws SQLException {
        return explained(sums(listing, Listing.COUNTED + 1), run);
    }

    public void sums(Listing listing) throws SQLException {
        try (var statement = prepared("", sums(listing, Listing.COUNTED + 1));
                var rows = statement.executeQuery()) {
            rows.next();
        }
        connection.commit();
    }

    private String explained(ListingText text, boolean run) throws SQLException {
        var lines = new StringBuilder();
        try (var statement = prepared(run ? "explain (analyze, buffers) " : "explain ", text);
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                lines.append(rows.getString(1)).append('\n');
            }
        }
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
