package dev.holdfast.browser;

import dev.holdfast.openid.Provider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code openid.test.mjs}: signing in at a real OpenID provider, in a real Chromium. */
class OpenIdPageIT {

    private final Tenant team = new Tenant("Claims");
    private final Tenant other = new Tenant("Pricing");

    @Test
    @Tag("R60")
    @Tag("R7")
    @Tag("R8")
    @Tag("R9")
    void peopleSignInAtTheirProviderAndLeaveByIt() throws Exception {
        try (var provider = new Provider()) {
            provider.people(
                    Map.of(
                            "ann-1",
                            Map.of(
                                    "name",
                                    "Ann Example",
                                    "roles",
                                    List.of(
                                            team.role("snapshots:read"),
                                            team.role("project:admin"),
                                            other.role("snapshots:read"))),
                            "eve-1",
                            Map.of("name", "Eve", "roles", List.of("staff"))));
            Provider.open();
            try {
                Pages.run(
                        "openid.test.mjs",
                        Map.of("team", team.told(Map.of()), "other", other.told(Map.of())),
                        Map.of("HOLDFAST_PROVIDER", provider.address().toString()));
            } finally {
                Provider.shut();
            }
        }
    }
}
