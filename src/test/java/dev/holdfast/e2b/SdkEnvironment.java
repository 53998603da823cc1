package dev.holdfast.e2b;

import dev.holdfast.run.SharedServer;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** What the programs on the packages are told of the server and of how much they shall do. */
final class SdkEnvironment {

    private SdkEnvironment() {}

    static Map<String, String> made(boolean full) {
        var server = SharedServer.get();
        var url = SharedServer.api().toString();
        var all = new HashMap<String, String>();
        all.put("E2B_API_KEY", SharedServer.apiKey());
        all.put("E2B_API_URL", url);
        all.put("E2B_SANDBOX_URL", url);
        all.put("E2B_VOLUME_API_URL", url);
        all.put("HOLDFAST_HTTPS_PORT", Integer.toString(server.options().httpsPort()));
        all.put("HOLDFAST_MANAGEMENT_PORT", Integer.toString(server.options().managementPort()));
        all.put("HOLDFAST_TEST_AUTHORITY", server.authority().orElseThrow().toString());
        all.put("HOLDFAST_TEST_DOMAIN", server.domain());
        all.put("HOLDFAST_TEST_RESOLVER", SharedServer.resolver().toAbsolutePath().toString());
        all.put("HOLDFAST_OTHER_API_KEY", otherKey());
        all.put("HOLDFAST_DB_PORT", Integer.toString(server.options().databasePort()));
        all.put("HOLDFAST_TEST_RESTORES", full ? "20" : "6");
        all.put("HOLDFAST_TEST_CAPTURES", full ? "30" : "5");
        all.put("HOLDFAST_TEST_FACES", full ? "both" : "one");
        all.put("HOLDFAST_TEST_CYCLES", full ? "20" : "3");
        all.put("HOLDFAST_TEST_BODY", full ? "1200000000" : "64000000");
        return all;
    }

    /** The same, and whatever a sandbox or a volume is asked for goes by way of another node. */
    static Map<String, String> through(URI node, boolean full) {
        var all = made(full);
        all.put("E2B_SANDBOX_URL", node.toString());
        all.put("E2B_VOLUME_API_URL", node.toString());
        return all;
    }

    private static String otherKey() {
        try {
            return OtherProject.key(
                    SharedServer.api(), SharedServer.apiKey(), SharedServer.get().databaseUrl());
        } catch (Exception e) {
            throw new IllegalStateException("no second project", e);
        }
    }
}
