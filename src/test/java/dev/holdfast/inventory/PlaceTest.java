package dev.holdfast.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.snapshot.SnapshotId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R27")
class PlaceTest {

    private static final ProjectId PROJECT = new ProjectId(UUID.randomUUID());
    private static final Selection SAVED = Selection.of(Status.SAVED);

    @ParameterizedTest
    @CsvSource({
        "CREATED, 2030-01-31T12:00:00.123456Z",
        "SIZE, 0",
        "SIZE, 123456789012",
        "EXPIRY, infinity",
        "EXPIRY, 2030-01-31T12:00:00Z",
        "NAME, ~",
        "NAME, build-7:v1.2"
    })
    void isReadAsItWasWritten(Sort sort, String key) {
        var order = new Order(sort, true);
        var place = new Place(key, SnapshotId.random());
        assertThat(read(place.token(PROJECT, SAVED, order), PROJECT, SAVED, order))
                .isEqualTo(place);
    }

    @Test
    void isRefusedInAnotherList() {
        var order = Order.NEWEST_FIRST;
        var token =
                new Place("2030-01-31T12:00:00Z", SnapshotId.random()).token(PROJECT, SAVED, order);
        assertRefused(token, PROJECT, SAVED, order.reversed());
        assertRefused(token, PROJECT, Selection.of(Status.ALL), order);
        assertRefused(token, new ProjectId(UUID.randomUUID()), SAVED, order);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "%%%", "null", "2030", "-1", "1e9", "' or 1 = 1 --", "infinity"})
    void isRefusedWithAKeyThatIsNone(String key) {
        var order = new Order(Sort.SIZE, true);
        var text = SAVED.digest(PROJECT, order) + " " + UUID.randomUUID() + " " + key;
        if (key.equals("2030")) {
            assertThat(read(encoded(text), PROJECT, SAVED, order).key()).isEqualTo(key);
        } else {
            assertRefused(encoded(text), PROJECT, SAVED, order);
        }
        assertRefused(key, PROJECT, SAVED, order);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Place read(String token, ProjectId project, Selection selection, Order order) {
        return Place.read("after", token, project, selection, order);
    }

    private static void assertRefused(
            String token, ProjectId project, Selection selection, Order order) {
        assertThatThrownBy(() -> read(token, project, selection, order))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("\"after\"");
    }
}
