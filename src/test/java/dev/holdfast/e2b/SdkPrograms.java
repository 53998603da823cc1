package dev.holdfast.e2b;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;

/** Programs on the package of PyPI, by way of another node than the one that runs the sandboxes. */
public final class SdkPrograms {

    private SdkPrograms() {}

    public static void pass(URI node, boolean full, List<String> programs) throws Exception {
        var environment = SdkEnvironment.through(node, full);
        var sdk = new PythonSdk("python", true, () -> environment);
        sdk.install();
        for (var program : programs) {
            var log = sdk.place().resolve("across-" + program + ".log");
            var report = sdk.place().resolve("across-" + program + ".xml").toAbsolutePath();
            int code = sdk.run(program, report, log);
            assertThat(code).as(program + ": " + Sdk.read(log)).isZero();
        }
    }
}
