package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.lang.reflect.Field;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What may change of a saved snapshot, from one row to another. */
class FactTest {

    private static final Instant MOVED = Instant.parse("2026-03-04T05:06:07.123456Z");

    @Test
    @Tag("F22")
    void bringsEveryFactFromOneRowToAnother() throws Exception {
        var row = saved();
        row.expireAt(MOVED);
        row.giveUpName();
        row.annotate(
                new Annotation(
                        Optional.of(Optional.of(new Note("keep"))),
                        Map.of("team", Optional.of("red"))));
        var amended = row.amended();

        var other = saved();
        other.take(amended);

        assertThat(amended.facts()).hasSize(Fact.values().length);
        assertThat(other.expiresAt()).contains(MOVED);
        assertThat(other.name()).isEmpty();
        assertThat(other.note()).contains("keep");
        assertThat(other.labels().values()).isEqualTo(Map.of("team", "red"));
        assertThat(other.amended()).isEqualTo(amended);
    }

    @Test
    void takesAwayWhatWasTakenAwayLater() throws Exception {
        var older = saved();
        older.annotate(
                new Annotation(
                        Optional.of(Optional.of(new Note("keep"))),
                        Map.of("team", Optional.of("red"))));

        older.take(saved().amended());

        assertThat(older.note()).isEmpty();
        assertThat(older.labels()).isEqualTo(Labels.NONE);
    }

    @Test
    void countsEachChangeAndNothingElse() throws Exception {
        var row = saved();
        assertThat(row.amended().number()).isZero();

        row.expireAt(MOVED);
        row.giveUpName();
        row.giveUpName();
        row.doubt("the host's", MOVED);
        row.checked(PartsState.COMPLETE, MOVED);

        assertThat(row.amended().number()).isEqualTo(2);
    }

    @Test
    void goesOnCountingWhereTheStoreWas() throws Exception {
        var row = saved();
        row.take(Amended.unknown(41));
        row.expireAt(MOVED);
        assertThat(row.amended().number()).isEqualTo(42);

        row.renumber(42, 50);
        row.renumber(50, 7);
        row.renumber(42, 51);
        assertThat(row.amended().number()).isEqualTo(50);
    }

    @Test
    void leavesARowAsItIsWhereNothingIsSaid() throws Exception {
        var row = saved();
        var before = row.expiresAt();

        row.take(Amended.unknown(3));

        assertThat(row.expiresAt()).isEqualTo(before);
        assertThat(row.name()).contains(new SnapshotName("kept", "default"));
    }

    @Test
    void settlesTheExpiryOnlyWhereTheLastChangeIsKnown() {
        assertThat(new Amended(2, expiry(MOVED.toString()), true).settlesExpiry()).isTrue();
        assertThat(new Amended(2, expiry(MOVED.toString()), false).settlesExpiry()).isFalse();
        assertThat(new Amended(2, JsonValue.EMPTY_JSON_OBJECT, true).settlesExpiry()).isFalse();
        assertThat(Amended.unknown(2).settlesExpiry()).isFalse();
    }

    @Test
    void refusesFactsThatNoRowCanTakeAndLeavesThoseOfALaterBuild() {
        assertThatThrownBy(() -> new Amended(1, expiry("soon"), true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new Amended(
                                        1,
                                        Json.createObjectBuilder().add("expiresAt", 7).build(),
                                        true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(
                        new Amended(1, Json.createObjectBuilder().add("invented", 7).build(), true)
                                .number())
                .isEqualTo(1);
    }

    private static JsonObject expiry(String moment) {
        return Json.createObjectBuilder().add("expiresAt", moment).build();
    }

    private static Snapshot saved() throws ReflectiveOperationException {
        var row = new Snapshot();
        set(row, "state", SnapshotState.SAVED);
        set(row, "kind", Kind.SNAPSHOT);
        set(row, "shortName", "kept");
        set(row, "tag", "default");
        set(row, "nameHeld", true);
        set(row, "expiresAt", Instant.parse("2026-01-09T03:04:06.5Z"));
        return row;
    }

    private static void set(Snapshot row, String name, Object value)
            throws ReflectiveOperationException {
        Field field = Snapshot.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(row, value);
    }
}
