package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventTest {

    private static final UUID PROJECT = UUID.fromString("00000000-0000-0000-0000-000000000001");

    @Test
    void idsCompareAsTextLikeTheEventsTheyName() {
        assertThat(new EventId(9).toString()).isLessThan(new EventId(10).toString());
        assertThat(EventId.parse(new EventId(1042).toString())).contains(new EventId(1042));
        assertThat(EventId.parse("1042")).isEmpty();
        assertThat(EventId.parse("'; drop table")).isEmpty();
        assertThatThrownBy(() -> new EventId(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTypeSaysWhatItHappensTo() {
        for (var type : EventType.values()) {
            assertThat(type.word()).matches("[a-z]+\\.[a-z_]+");
            assertThat(EventType.of(type.word())).contains(type);
            assertThat(EventType.isKind(type.kind())).isTrue();
        }
        assertThat(EventType.isKind("saved")).isFalse();
    }

    @Test
    void detailsAreCutAndAbsentOnesLeftOut() {
        var notice =
                Notice.of(EventType.SNAPSHOT_SAVED, "x", PROJECT)
                        .with("long", "y".repeat(1000))
                        .with("absent", (Object) null);

        assertThat(notice.details()).containsOnlyKeys("long");
        assertThat(notice.details().get("long")).hasSize(256);
        assertThat(Pending.json(List.of(notice)))
                .contains(
                        "\"type\":\"snapshot.saved\"", "\"kind\":\"snapshot\"", PROJECT.toString());
    }
}
