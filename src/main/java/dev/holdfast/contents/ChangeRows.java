package dev.holdfast.contents;

import dev.holdfast.agent.GuestPath;
import dev.holdfast.agent.TreeEntry;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The changes that a comparison has found, as rows, and texts of what is kept whole. */
@Stateless
public class ChangeRows {

    /** How many rows go in one statement. */
    private static final int PIECE = 1000;

    private static final String INSERT =
            "insert into comparison_change (comparison_id, position, kind, path, what, before, after)"
                    + " select :id, row.position, row.kind, row.path, row.what, row.before, row.after"
                    + " from jsonb_to_recordset(cast(:rows as jsonb)) as row(position int, kind text,"
                    + " path text, what text, before text, after text)";

    @PersistenceContext EntityManager em;

    private final Jsonb json = JsonbBuilder.create();

    /** A row on its way into the table. */
    public record Row(
            int position, String kind, String path, String what, String before, String after) {}

    /**
     * One change as it is told.
     *
     * @param position what to go on behind
     * @param what in what it differs
     * @param before null where it was added
     * @param after null where it was removed
     */
    public record Told(int position, String kind, List<String> what, Item before, Item after) {}

    @TransactionAttribute(TransactionAttributeType.MANDATORY)
    public void write(UUID id, List<Change> changes) {
        for (int from = 0; from < changes.size(); from += PIECE) {
            int begin = from;
            List<Change> piece = changes.subList(from, Math.min(from + PIECE, changes.size()));
            List<Row> rows =
                    IntStream.range(0, piece.size())
                            .mapToObj(i -> row(begin + i, piece.get(i)))
                            .toList();
            em.createNativeQuery(INSERT)
                    .setParameter("id", id)
                    .setParameter("rows", json.toJson(rows))
                    .executeUpdate();
        }
    }

    /**
     * A page of them.
     *
     * @param kind empty: of any
     * @param after the position behind which it begins
     */
    public List<Told> page(UUID id, Optional<Change.Kind> kind, int after, int limit) {
        var query =
                em.createNativeQuery(
                                "select position, kind, path, what, before, after"
                                        + " from comparison_change where comparison_id = :id"
                                        + " and position > :after"
                                        + (kind.isPresent() ? " and kind = :kind" : "")
                                        + " order by position",
                                Tuple.class)
                        .setParameter("id", id)
                        .setParameter("after", after)
                        .setMaxResults(limit);
        kind.ifPresent(one -> query.setParameter("kind", one.name()));
        List<?> rows = query.getResultList();
        return rows.stream().map(Tuple.class::cast).map(this::told).toList();
    }

    /** For the row of its comparison. */
    public String text(Summary summary) {
        return json.toJson(summary);
    }

    /** What came of a comparison that is done. */
    public Optional<Summary> summary(Comparison comparison) {
        return comparison.summary().map(text -> json.fromJson(text, Summary.class));
    }

    private Row row(int position, Change change) {
        return new Row(
                position,
                change.kind().name(),
                change.path().encoded(),
                change.what().stream()
                        .sorted()
                        .map(Difference::word)
                        .collect(Collectors.joining(" ")),
                change.before().map(this::text).orElse(null),
                change.after().map(this::text).orElse(null));
    }

    private String text(TreeEntry entry) {
        return String.join(
                " ",
                entry.kind().word(),
                Item.mode(entry),
                Long.toString(entry.uid()),
                Long.toString(entry.gid()),
                Long.toString(entry.size()),
                Long.toString(entry.modified()),
                entry.target().map(GuestPath::encoded).orElse("-"));
    }

    private Told told(Tuple row) {
        GuestPath path = GuestPath.encoded(row.get(2, String.class));
        String what = row.get(3, String.class);
        return new Told(
                row.get(0, Integer.class),
                Change.Kind.valueOf(row.get(1, String.class)).word(),
                what.isEmpty() ? List.of() : Arrays.asList(what.split(" ")),
                item(path, row.get(4, String.class)),
                item(path, row.get(5, String.class)));
    }

    private Item item(GuestPath path, String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(" ");
        return new Item(
                path.shown(),
                Item.bytes(path),
                parts[0],
                parts[1],
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                TreeEntry.moment(Long.parseLong(parts[5])),
                parts[6].equals("-")
                        ? Optional.empty()
                        : Optional.of(GuestPath.encoded(parts[6]).shown()));
    }
}
