package dev.holdfast.e2b;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import dev.holdfast.restore.Opening;
import jakarta.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The body of both create calls; they differ in what is assumed. */
final class CreateRequest {

    private static final List<String> UNSUPPORTED =
            List.of("mcp", "iam", "autoPause", "volumeMounts");

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
        FIXED.forEach(name -> refuseFixed(members, name));
        UNSUPPORTED.forEach(members::refuse);
        if (members.object("autoResume").isSet("enabled")) {
            members.refuse("autoResume");
        }
        String template =
                members.text("templateID")
                        .filter(text -> !text.isBlank())
                        .orElseThrow(
                                () ->
                                        new Problem(
                                                Reason.INVALID_PARAMETER,
                                                "\"templateID\" is missing. Name a template or a"
                                                        + " snapshot."));
        return new Opening(
                template,
                members.seconds("timeout").orElse(dialect.lifetime),
                members.flag("secure").orElse(dialect.secured),
                NetworkRequest.override(members),
                members.texts("metadata"),
                members.texts("envVars").orElse(Map.of()));
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
