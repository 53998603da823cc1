package dev.holdfast.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.snapshot.SnapshotId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ListingTextTest {

    private static final ProjectId PROJECT = new ProjectId(UUID.randomUUID());
    private static final String FROM_THE_EXPIRIES = "s.id in (select p.id from (";

    private static ListingText text(Selection selection, Order order) {
        return ListingText.page(
                Listing.first(PROJECT, Optional.of(new Slug("own")), selection, order, 100),
                Kinds.NOT_ASKED);
    }

    @Test
    @Tag("R18")
    @Tag("F4")
    void whatHasExpiredIsNeverLookedForAlongAnotherOrder() {
        for (Sort sort : Sort.values()) {
            for (boolean downwards : new boolean[] {true, false}) {
                String sql =
                        text(Selection.of(Status.AWAITING_CLEANUP), new Order(sort, downwards))
                                .sql();
                assertThat(sql.contains(FROM_THE_EXPIRIES))
                        .as(sort + " " + downwards)
                        .isEqualTo(sort != Sort.EXPIRY);
            }
        }
    }

    @Test
    @Tag("R19")
    @Tag("F4")
    void whereExpiredOrNotIsAllTheSameNobodyAsksForIt() {
        assertThat(text(Selection.of(Status.ALL), Order.NEWEST_FIRST).sql())
                .containsOnlyOnce("s.state = 'SAVED'")
                .doesNotContain("list_expiry");
    }

    @Test
    @Tag("R54")
    @Tag("F4")
    void manyIdsAreOneParameter() {
        List<SnapshotId> ids = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            ids.add(new SnapshotId(UUID.randomUUID()));
        }
        ListingText text = text(Selection.of(ids), Order.NEWEST_FIRST);
        assertThat(text.values()).containsOnlyKeys("project", "ids");
        assertThat(text.values().get("ids").toString())
                .startsWith("{")
                .endsWith("}")
                .contains(ids.get(999).toString());
    }
}
