package dev.holdfast.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.job.Finding;
import dev.holdfast.job.Findings;
import dev.holdfast.snapshot.Amended;
import dev.holdfast.snapshot.Imports;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.storage.Amendments;
import dev.holdfast.storage.DirectoryStore;
import dev.holdfast.storage.ForwardingStore;
import dev.holdfast.storage.ObjectStore;
import dev.holdfast.storage.StoredObject;
import jakarta.batch.runtime.context.JobContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an import does when the store answers for some snapshots and not for others. */
class ImportWriterTest {

    private final List<String> amended = new ArrayList<>();
    private final List<String> found = new ArrayList<>();

    @Test
    @Tag("F22")
    void saysWhichAmendmentCannotBeReadAndGoesOn(@TempDir Path place) throws Exception {
        var unread = SnapshotId.random();
        var read = SnapshotId.random();
        var writer = new ImportWriter();
        writer.amendments =
                new Amendments(
                        new PartlyAway(new DirectoryStore(place, Clock.systemUTC()), unread));
        writer.imports = new KnownToAll();
        writer.findings = new Noted();
        writer.job = job();

        writer.writeItems(List.of(unread, read));

        assertThat(amended).containsExactly(read.toString());
        assertThat(found).containsExactly(unread + " amendment_unread");
    }

    private final class KnownToAll extends Imports {
        @Override
        public boolean isUnknown(SnapshotId id) {
            return false;
        }

        @Override
        public boolean amend(SnapshotId id, Amended what) {
            return amended.add(id.toString()) && false;
        }
    }

    private final class Noted extends Findings {
        @Override
        public void add(String job, Finding finding) {
            found.add(finding.subject() + " " + finding.reason());
        }
    }

    private static JobContext job() {
        return (JobContext)
                Proxy.newProxyInstance(
                        JobContext.class.getClassLoader(),
                        new Class<?>[] {JobContext.class},
                        (self, method, arguments) -> "import-catalogue");
    }

    /** A real store that cannot be read where one snapshot's objects are. */
    private static final class PartlyAway extends ForwardingStore {
        private final SnapshotId away;

        private PartlyAway(ObjectStore store, SnapshotId away) {
            super(store);
            this.away = away;
        }

        @Override
        public void list(String prefix, Consumer<StoredObject> each) throws IOException {
            if (prefix.contains(away.toString())) {
                throw new IOException("input/output error");
            }
            super.list(prefix, each);
        }
    }
}
