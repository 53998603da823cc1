package dev.holdfast.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.lang.reflect.Field;
import java.time.Duration;
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
        var pin = new Pin("the last good one", "key:1", MOVED, null);
        var hold = new Hold("case 17", "key:2", MOVED, MOVED.plusSeconds(60));
        row.pin(pin);
        row.hold(hold);
        var amended = row.amended();

        var other = saved();
        other.take(amended);

        assertThat(amended.facts()).hasSize(Fact.values().length);
        assertThat(other.ownExpiry()).contains(MOVED);
        assertThat(other.expiresAt()).isEqualTo(row.expiresAt());
        assertThat(other.endsAt()).as("pinned without an end").isEmpty();
        assertThat(other.pin()).contains(pin);
        assertThat(other.hold()).contains(hold);
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

    /** The end is the latest of its own, its pin's and its hold's, in whatever order they come. */
    @Test
    @Tag("F11")
    void endsWithTheLastOfWhatKeepsIt() throws Exception {
        Instant end = MOVED.plusSeconds(100);
        var row = saved();
        row.expireAt(MOVED);
        row.pin(new Pin("x", "key:1", MOVED, end));
        assertThat(row.expiresAt()).contains(end);
        assertThat(row.isExpired(end.minusNanos(1))).isFalse();
        assertThat(row.isExpired(end)).isTrue();
        row.hold(new Hold("y", "key:1", MOVED, end.plusSeconds(1)));
        assertThat(row.expiresAt()).contains(end.plusSeconds(1));
        row.expireAt(end.plusSeconds(2));
        assertThat(row.expiresAt()).contains(end.plusSeconds(2));
        row.expireAt(MOVED);
        assertThat(row.unpin(MOVED)).isPresent();
        assertThat(row.expiresAt()).contains(end.plusSeconds(1));
        assertThat(row.ownExpiry()).contains(MOVED);

        row.take(saved().amended());
        assertThat(row.pin()).isEmpty();
        assertThat(row.hold()).map(Hold::until).contains(end.plusSeconds(1));
        assertThat(row.isAheadOfTheStore()).as("the store is to have the hold again").isTrue();
    }

    @Test
    @Tag("F11")
    void hasADayLeftWhenThePinIsLiftedThatAloneKeptIt() throws Exception {
        var row = saved();
        row.expireAt(MOVED);
        row.pin(new Pin("x", "key:1", MOVED, null));
        Instant now = MOVED.plusSeconds(1_000_000);
        assertThat(row.isExpired(now)).isFalse();
        row.unpin(now);
        assertThat(row.expiresAt()).contains(now.plusSeconds(86_400));
        assertThat(row.unpin(now)).isEmpty();
    }

    /** A catalogue that was restored from before the bring-back learns of it from the store. */
    @Test
    @Tag("F11")
    void comesBackFromTheTrashWithWhatWasWrittenLater() throws Exception {
        var later = saved();
        later.leave(RemovalReason.DELETED, MOVED, MOVED.plusSeconds(100));
        later.bringBack(MOVED, true);
        later.hold(new Hold("case 17", "key:1", MOVED, MOVED.plusSeconds(900)), MOVED);
        var row = saved();
        row.leave(RemovalReason.DELETED, MOVED, MOVED.plusSeconds(100));

        row.take(later.amended());

        assertThat(row.state()).isEqualTo(SnapshotState.SAVED);
        assertThat(row.hold()).isPresent();
        assertThat(row.discard(MOVED.plusSeconds(200))).isFalse();
        assertThat(row.isAheadOfTheStore()).isFalse();
    }

    @Test
    void comesBackFromAPolicyWithTheExpiryItHad() throws Exception {
        var row = saved();
        row.expireAt(MOVED.plusSeconds(500));
        row.leave(RemovalReason.EXPIRED, MOVED, MOVED.plusSeconds(100));

        row.bringBack(MOVED.plusSeconds(1), true);

        assertThat(row.expiresAt()).contains(MOVED.plusSeconds(500));
    }

    @Test
    @Tag("F11")
    @Tag("R117")
    void liesInTheTrashForItsTimeAndComesBackAsItWas() throws Exception {
        var row = saved();
        row.expireAt(MOVED.plusSeconds(500));
        Duration trash = Duration.ofSeconds(100);
        row.leave(RemovalReason.DELETED, MOVED, MOVED.plus(trash));
        assertThat(row.state()).isEqualTo(SnapshotState.TRASHED);
        assertThat(row.name()).isEmpty();
        assertThat(row.isKept()).isTrue();
        assertThat(row.isInTrash(MOVED.plusSeconds(99), trash)).isTrue();
        assertThat(row.isInTrash(MOVED.plusSeconds(100), trash)).isFalse();

        row.bringBack(MOVED.plusSeconds(1), true);
        assertThat(row.state()).isEqualTo(SnapshotState.SAVED);
        assertThat(row.name()).contains(new SnapshotName("kept", "default"));
        assertThat(row.removedAt()).isEmpty();
        assertThat(row.expiresAt()).contains(MOVED.plusSeconds(500));
        assertThat(row.discard(MOVED)).isFalse();

        row.leave(RemovalReason.EXPIRED, MOVED.plusSeconds(600), MOVED.plusSeconds(700));
        row.bringBack(MOVED.plusSeconds(601), false);
        assertThat(row.name()).isEmpty();
        assertThat(row.expiresAt()).contains(MOVED.plusSeconds(601 + 86_400));
        assertThat(row.isInTrash(MOVED.plusSeconds(1_000_000), trash))
                .as("what has expired is as good as there")
                .isTrue();
        assertThat(row.isInTrash(MOVED.plusSeconds(1_000_000), Duration.ZERO)).isFalse();

        row.leave(RemovalReason.DELETED, MOVED, null);
        assertThat(row.state()).isEqualTo(SnapshotState.CLEANUP_PENDING);
    }

    @Test
    @Tag("F11")
    void refusesToShortenAHold() throws Exception {
        var row = saved();
        row.hold(new Hold("x", "key:1", MOVED, MOVED.plusSeconds(9)), MOVED);
        assertThatThrownBy(
                        () -> row.hold(new Hold("x", "key:1", MOVED, MOVED.plusSeconds(8)), MOVED))
                .hasMessageContaining("can only be extended");
        row.hold(new Hold("x", "key:1", MOVED, MOVED.plusSeconds(12)), MOVED.plusSeconds(10));
        assertThat(row.hold()).map(Hold::until).contains(MOVED.plusSeconds(12));
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
