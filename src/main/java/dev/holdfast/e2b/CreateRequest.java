package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Opening;
import dev.holdfast.sandbox.AtTimeout;
import dev.holdfast.sandbox.Lifecycle;
import dev.holdfast.sandbox.SandboxId;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The body of both create calls; they differ in what is assumed. */
final class CreateRequest {

    private static final List<String> UNSUPPORTED = List.of("mcp", "iam");

    /** Settings that a snapshot fixes and nobody may set for a sandbox made from it. */
    private static final List<String> FIXED = List.of("functionConfig", "build", "image");

    /** What a create call assumes when its body does not say. */
    enum Dialect {
        V1(Duration.ofSeconds(15), false),
        V2(Duration.ofSeconds(300), true);

        private final Duration lifetime;
        private final boolean secured;

        Dialect(Duration lifetime, boolean secured) {
            this.lifetime = lifetime;
            this.secured = secured;
        }
    }

    private CreateRequest() {}

    static Opening read(JsonValue body, Dialect dialect) {
        Members members = Members.of(body);
        String template =
                members.text("templateID")
                        .filter(text -> !text.isBlank())
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.INVALID_PARAMETER,
                                                "\"templateID\" is missing. Name a template or a"
                                                        + " snapshot."));
        return opening(template, members, dialect.lifetime, Optional.of(dialect.secured));
    }

    /** What both dialects and the native restore take; {@code secured} where it does not say. */
    static Opening opening(
            String reference, Members members, Duration lifetime, Optional<Boolean> secured) {
        FIXED.forEach(name -> refuseFixed(members, name));
        UNSUPPORTED.forEach(members::refuse);
        return new Opening(
                reference,
                members.text("sandboxID").filter(id -> !id.isEmpty()).map(CreateRequest::chosen),
                members.seconds("timeout").orElse(lifetime),
                members.seconds("idleTimeout"),
                members.flag("secure").or(() -> secured),
                NetworkRequest.override(members),
                lifecycle(members),
                members.texts("metadata"),
                members.texts("envVars").orElse(Map.of()),
                MountsRequest.read(members),
                Optional.empty());
    }

    /** One choice for both members, so that neither is taken from a snapshot without the other. */
    private static Optional<Lifecycle> lifecycle(Members members) {
        Optional<Boolean> pause = members.flag("autoPause");
        Optional<Boolean> memory = members.flag("autoPauseMemory");
        Optional<Boolean> resume = members.object("autoResume").flag("enabled");
        if (memory.filter(kept -> !kept).isPresent() && !pause.orElse(false)) {
            throw Problem.invalid(
                    "autoPauseMemory", "\"autoPauseMemory\": false needs \"autoPause\": true.");
        }
        if (pause.isEmpty() && resume.isEmpty()) {
            return Optional.empty();
        }
        AtTimeout paused = memory.orElse(true) ? AtTimeout.PAUSE : AtTimeout.PAUSE_DISK;
        return Optional.of(
                new Lifecycle(pause.orElse(false) ? paused : AtTimeout.KILL, resume.orElse(false)));
    }

    private static SandboxId chosen(String id) {
        if (!SandboxId.mayBeChosen(id)) {
            throw Problem.invalid(
                    "sandboxID",
                    "\"sandboxID\" is an i and 20 characters of [a-z0-9]. Leave it out to"
                            + " be given one.");
        }
        return new SandboxId(id);
    }

    private static void refuseFixed(Members members, String name) {
        if (members.isSet(name)) {
            throw new Problem(
                            Reason.OVERRIDE_FORBIDDEN,
                            "\"" + name + "\" is fixed by the template or snapshot.")
                    .with("field", name);
        }
    }
}
