package dev.holdfast.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.e2b.E2bClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The images, built and started with what {@code docker/compose.yaml} gives them and nothing more.
 * Of what is there only the network is another: that of the host.
 */
class ImageIT {

    private static final int OFFSET = 700;
    private static final Duration TO_START = Duration.ofMinutes(5);
    private static final Duration TO_STOP = Duration.ofSeconds(60);
    private static final String CONTROL = "holdfast-control";
    private static final String WORKER = "holdfast-worker";
    private static final String API_KEY = "e2b_" + "4".repeat(40);
    private static final String PASSWORD = "what only the file says";

    /** No engine of compose hides it; util-linux finds out there how a loop device was made. */
    private static final String AS_ELSEWHERE = "--security-opt=unmask=/sys/dev/block";

    private static Home home;
    private static LocalDatabase database;
    private static ComposeFile compose;
    private static Path secrets;

    @BeforeAll
    static void builds() throws Exception {
        var built = Podman.run(Duration.ofMinutes(10), List.of("docker/build.sh"));
        assertThat(built.code()).as(built.output()).isZero();
        compose = ComposeFile.read(Path.of(Lane.property("holdfast.wildfly.home")));
        home = Home.lock(Options.besideHome("image"));
        database =
                new LocalDatabase(home, Path.of(Lane.property("holdfast.test.cache")), port("db"));
        database.start("holdfast", "holdfast", PASSWORD);
        secrets = Files.createDirectories(home.path().resolve("secrets"));
        secret("database", PASSWORD);
        secret("api-key", API_KEY);
    }

    @AfterAll
    static void leavesNothing() throws Exception {
        if (database != null) {
            database.stop();
        }
        if (home != null) {
            home.close();
            Home.delete(home.path());
        }
    }

    /** As an engine of compose puts it there: only the one it is for reads it. */
    private static void secret(String name, String text) throws IOException {
        Files.writeString(secrets.resolve(name), text + "\n");
        Files.setPosixFilePermissions(
                secrets.resolve(name), PosixFilePermissions.fromString("r--r--r--"));
    }

    @Test
    void aControlServesWithoutRootOnAReadOnlyRootAndStopsOnTerm() throws Exception {
        try (var control = start("control", CONTROL, "control-1", Map.of())) {
            control.awaitHealthy(TO_START);

            assertThat(ask("/teams").statusCode()).isEqualTo(200);
            assertThat(control.exec("id", "-u").orThrow()).isNotEqualTo("0");
            assertThat(control.exec("cat", "/proc/1/status").orThrow())
                    .contains("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000")
                    .contains("NoNewPrivs:\t1", "Seccomp:\t2");
            assertThat(control.exec("touch", "/opt/holdfast/mark").output())
                    .contains("Read-only file system");

            stopsCleanly(control);
            assertThat(control.log())
                    .as("a console for programs, without a secret in it")
                    .contains("\"level\":\"INFO\"")
                    .doesNotContain(PASSWORD, API_KEY);
        }
    }

    @Test
    void aWorkerSavesAndRestoresWithWhatComposeGivesIt() throws Exception {
        // With both roles, so that nothing but a database is needed besides.
        var roles = Map.of("HOLDFAST_ROLES", "control,worker");
        try (var worker = start("worker", WORKER, "worker-1", roles)) {
            worker.awaitHealthy(TO_START);
            var client = new E2bClient(URI.create("http://127.0.0.1:" + port("http")), API_KEY);

            var source = client.create("base", Duration.ofMinutes(5));
            client.write(source, "/home/user/kept", "as it was");
            var number = client.startInBackground(source, "echo up > ran; exec sleep 1000");
            client.must(source, "until [ -e ran ]; do sleep 0.1; done");
            var snapshot = client.snapshot(source);
            client.kill(source.id());
            var clone = client.create(snapshot.id(), Duration.ofMinutes(5));

            assertThat(client.read(clone, "/home/user/kept")).isEqualTo("as it was");
            assertThat(client.processes(clone)).as("what ran runs on").contains(number);

            stopsCleanly(worker);
            assertThat(Home.mountsBelow(home.path())).isEmpty();
        }
    }

    @Test
    void theHostPreparationFindsAllItNeeds() throws Exception {
        var check =
                "PATH=$PATH:/usr/sbin:/sbin; . <(sed -n '/^declare -A PACKAGE_OF/,/^)/p'"
                        + " /opt/holdfast/sandbox/prepare-host.sh);"
                        + " for each in \"${!PACKAGE_OF[@]}\" runsc; do"
                        + " command -v \"$each\" >/dev/null || echo \"$each\"; done";

        assertThat(Podman.once(WORKER, asProgram(), "bash", "-c", check).orThrow()).isEmpty();
    }

    @Test
    void hasEveryProgramThatIsCalled() throws Exception {
        var called = new ArrayList<>(CalledPrograms.ofNodes());
        assertThat(called).contains("keytool", "flock");
        assertThat(missing(CONTROL, called)).isEmpty();

        called.addAll(CalledPrograms.ofWorkers());
        assertThat(called).contains("losetup", "setpriv", "mksquashfs", "dnsmasq", "resize2fs");
        assertThat(missing(WORKER, called)).isEmpty();
    }

    private static String missing(String image, List<String> programs) throws Exception {
        var check =
                "PATH=$PATH:/usr/sbin:/sbin:$(dirname \"$(readlink -f /usr/bin/java)\");"
                        + " for each in "
                        + String.join(" ", programs)
                        + "; do command -v $each >/dev/null || echo $each; done";
        return Podman.once(image, asProgram(), "bash", "-c", check).orThrow();
    }

    @Test
    void readsSecretsFromFilesUnlessTheyAreSet() throws Exception {
        secret("other", "two words");
        var options = new ArrayList<>(asProgram());
        options.add("--volume=" + secrets + ":/run/secrets:ro");
        options.add("--env=HOLDFAST_OPENID_CLIENT_SECRET_FILE=/run/secrets/other");
        options.add("--env=AWS_SECRET_ACCESS_KEY_FILE=/run/secrets/other");
        options.add("--env=HOLDFAST_DB_PASSWORD_FILE=/run/secrets/other");
        options.add("--env=HOLDFAST_DB_PASSWORD=set");
        options.add("--env=AWS_SHARED_CREDENTIALS_FILE=/nowhere");
        var show =
                "echo \"$HOLDFAST_OPENID_CLIENT_SECRET|$AWS_SECRET_ACCESS_KEY"
                        + "|$HOLDFAST_DB_PASSWORD|$AWS_SHARED_CREDENTIALS\"";

        assertThat(Podman.once(CONTROL, options, "bash", "-c", show).orThrow())
                .isEqualTo("two words|two words|set|");

        options.add("--env=HOLDFAST_BROKER_PASSWORD_FILE=/run/secrets/gone");
        var refused = Podman.once(CONTROL, options, "true");
        assertThat(refused.code()).isNotZero();
        assertThat(refused.output()).contains("HOLDFAST_BROKER_PASSWORD_FILE", "/run/secrets/gone");
    }

    @Test
    void aHomeHasOneServer() throws Exception {
        var options = new ArrayList<>(asProgram());
        var twice =
                "mkdir -p /var/lib/holdfast && exec 8>/var/lib/holdfast/container.lock"
                        + " && flock 8 && /opt/holdfast/entrypoint.sh";

        assertThat(Podman.once(CONTROL, options, "bash", "-c", twice).output())
                .contains("is in use by another container");
    }

    /** For a program that is no server, which needs no device. */
    private static List<String> asProgram() {
        return List.of("--env=HOLDFAST_ROLES=control");
    }

    private static Podman start(
            String name, String image, String service, Map<String, String> settings)
            throws Exception {
        var options = new ArrayList<>(compose.privileges(service));
        options.add(AS_ELSEWHERE);
        options.add("--volume=" + secrets + ":/run/secrets:ro");
        var cache = Path.of(Lane.property("holdfast.test.cache"));
        if (image.equals(WORKER)) {
            for (var made : List.of("runtime", "template")) {
                options.add(
                        "--volume=" + cache.resolve(made) + ":/var/cache/holdfast/" + made + ":ro");
            }
        }
        var environment = new HashMap<String, String>();
        environment.put("HOLDFAST_HTTP_PORT", Integer.toString(port("http")));
        environment.put("HOLDFAST_HTTPS_PORT", Integer.toString(port("https")));
        environment.put("HOLDFAST_MANAGEMENT_PORT", Integer.toString(port("management")));
        environment.put("HOLDFAST_DB_PORT", Integer.toString(port("db")));
        environment.put("HOLDFAST_DB_PASSWORD_FILE", "/run/secrets/database");
        environment.put("HOLDFAST_BOOTSTRAP_API_KEY_FILE", "/run/secrets/api-key");
        environment.put("HOLDFAST_WORKER_ID", Lane.own("image-" + name));
        environment.put("HOLDFAST_WORKER_DISK_MIB", "1024");
        environment.put("HOLDFAST_JAVA_OPTIONS", Options.BRIEF);
        environment.putAll(settings);
        return Podman.start(Lane.own("holdfast-test-" + name), image, options, environment);
    }

    private static void stopsCleanly(Podman container) throws Exception {
        var begun = System.nanoTime();

        assertThat(container.stop(TO_STOP)).as(container.log()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TO_STOP);
        assertThat(container.log()).as("it was told and ended").contains("WFLYSRV0050");
    }

    private static java.net.http.HttpResponse<String> ask(String path) throws Exception {
        var address = URI.create("http://127.0.0.1:" + port("http") + path);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(address)
                                .header("X-API-Key", API_KEY)
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        BodyHandlers.ofString());
    }

    private static int port(String name) {
        return Lane.port(name) + OFFSET;
    }
}
