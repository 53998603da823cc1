package dev.holdfast.browser;

import static dev.holdfast.api.NativeClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.api.NativeClient;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code large.test.mjs}: a project with more than ten thousand snapshots, and how pages load. */
class LargeProjectIT {

    /** Two more pages than have a number. */
    private static final int ROWS = 10_050;

    private final Tenant team = new Tenant("Claims");
    private Shelf shelf;

    @BeforeEach
    void fillsAProject() throws Exception {
        shelf = new Shelf(team.id());
    }

    @AfterEach
    void emptiesIt() throws Exception {
        shelf.close();
    }

    @Test
    @Tag("R14")
    @Tag("R21")
    @Tag("R27")
    @Tag("R28")
    @Tag("R29")
    void pagesStaySmallAndQuickWithTenThousandSnapshots() throws Exception {
        shelf.crowd(ROWS - 1);
        String one = shelf.saved(1, 64, "one:v1").toString();
        shelf.charge();
        assertSaysThatThereAreMore();
        Pages.run(
                "large.test.mjs", Map.of("team", team.told(Map.of("rows", ROWS, "snapshot", one))));
    }

    private void assertSaysThatThereAreMore() {
        var api = new NativeClient(team.manager());
        var listed = expect(200, api.get("/snapshots?status=all&limit=1&page=1"));
        assertThat(listed.getLong("total")).isEqualTo(10_000);
        assertThat(listed.getBoolean("totalIsExact")).isFalse();
        var all = Map.of("filter", Map.of(), "preview", true);
        var previewed = expect(200, api.post("/snapshots/delete", all));
        assertThat(previewed.getLong("count")).isEqualTo(10_000);
        assertThat(previewed.getBoolean("countIsExact")).isFalse();
    }
}
