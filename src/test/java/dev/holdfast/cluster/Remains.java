package dev.holdfast.cluster;

import static dev.holdfast.Eventually.await;

import dev.holdfast.capture.Leavings;
import dev.holdfast.run.Cluster;
import dev.holdfast.run.Node;

/** What a cluster has on its workers' hosts and in its bucket, seen past the servers. */
record Remains(Cluster cluster) {

    Leavings of(Node worker) throws Exception {
        return new Leavings(
                worker.home(), cluster.databaseUrl(), worker.name(), cluster.bucket().objects());
    }

    /** Every machine, object and capture is somebody's. */
    void assertNothingIsOrphaned() throws Exception {
        for (var worker : cluster.workers()) {
            var left = of(worker);
            await(
                    "machines and rows agree on " + worker.name(),
                    () -> {
                        left.assertEveryMachineIsOwned();
                        return true;
                    });
            left.assertEveryObjectIsOwned();
            left.assertNoCaptureIsStalled();
        }
    }
}
