package dev.holdfast.snapshot;

import dev.holdfast.database.ArrayText;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.Verdict.Why;
import jakarta.ejb.Stateless;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReaderFactory;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.Session;

/** Whether snapshots can be restored, from stored facts alone; one statement for any number. */
@Stateless
public class Verdicts {

    private static final String FACTS =
            "select snapshot_id as id, answer, array_to_string(workers, chr(10)) as workers,"
                    + " differences, array_to_string(occupants, ' ') as occupants"
                    + " from snapshot_verdicts(cast(? as uuid[]))";

    /** Whoever asks {@link Json} itself has the provider looked up anew each time. */
    private static final JsonReaderFactory READERS = Json.createReaderFactory(Map.of());

    @PersistenceContext EntityManager em;

    public Verdict of(Snapshot snapshot) {
        return standing(snapshot).verdict();
    }

    /**
     * @throws Problem {@code snapshot_not_found} when it was cleaned up since its row was read
     */
    public Standing standing(Snapshot snapshot) {
        Standing standing = standings(List.of(snapshot)).get(snapshot.id());
        if (standing == null) {
            throw new Problem(
                    Reason.SNAPSHOT_NOT_FOUND, "There is no snapshot " + snapshot.id() + ".");
        }
        return standing;
    }

    public Map<SnapshotId, Standing> standings(List<Snapshot> snapshots) {
        if (snapshots.isEmpty()) {
            return Map.of();
        }
        Map<UUID, Snapshot> asked =
                snapshots.stream()
                        .collect(Collectors.toMap(s -> s.id().value(), Function.identity()));
        em.flush(); // what follows goes past the session: each list asks it, and wants no mapping
        return em.unwrap(Session.class).doReturningWork(connection -> standings(connection, asked));
    }

    private Map<SnapshotId, Standing> standings(Connection connection, Map<UUID, Snapshot> asked)
            throws SQLException {
        Map<SnapshotId, Standing> found = new HashMap<>();
        try (var statement = connection.prepareStatement(FACTS)) {
            statement.setString(1, ArrayText.of(asked.keySet()));
            try (var facts = statement.executeQuery()) {
                while (facts.next()) {
                    Snapshot snapshot = asked.get(facts.getObject("id", UUID.class));
                    found.put(
                            snapshot.id(),
                            new Standing(verdict(snapshot, facts), occupants(facts)));
                }
            }
        }
        return found;
    }

    private Verdict verdict(Snapshot snapshot, ResultSet facts) throws SQLException {
        String answer = facts.getString("answer");
        return answer.equals("YES")
                ? new Verdict.Yes(
                        words(facts.getString("workers"), "\n"), snapshot.restoreFailure())
                : Verdict.no(
                        snapshot, Why.valueOf(answer), differences(facts.getString("differences")));
    }

    private List<SandboxId> occupants(ResultSet facts) throws SQLException {
        return words(facts.getString("occupants"), " ").stream().map(SandboxId::new).toList();
    }

    private List<Difference> differences(String json) {
        if (json == null) {
            return List.of();
        }
        try (var reader = READERS.createReader(new StringReader(json))) {
            return reader.readArray().getValuesAs(JsonObject.class).stream()
                    .map(
                            each ->
                                    new Difference(
                                            each.getString("worker"),
                                            each.getString("what"),
                                            each.getString("needed", "unknown"),
                                            Optional.ofNullable(each.getString("offered", null))))
                    .toList();
        }
    }

    private List<String> words(String text, String border) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(border));
    }
}
