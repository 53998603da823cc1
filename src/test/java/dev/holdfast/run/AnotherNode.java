package dev.holdfast.run;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A node beside the shared server, on its database and its store, that runs no sandboxes itself.
 */
public final class AnotherNode {

    private AnotherNode() {}

    /**
     * @param name tells its home from others
     * @param offset tells its ports from others
     */
    public static Options beside(String name, int offset, Map<String, String> more)
            throws IOException {
        var shared = SharedServer.get();
        var url = shared.databaseUrl();
        var settings = new HashMap<>(shared.options().settings());
        settings.remove("HOLDFAST_WORKER_ADDRESS");
        settings.put("HOLDFAST_WORKER_ID", "worker-2");
        settings.put("HOLDFAST_STORAGE_ROOT", shared.options().home().resolve("store").toString());
        settings.put("HOLDFAST_DB_PORT", "" + shared.options().databasePort());
        settings.put("HOLDFAST_DB_PASSWORD", url.substring(url.indexOf("password=") + 9));
        settings.put("HOLDFAST_BOOTSTRAP_API_KEY", shared.apiKey());
        settings.put("HOLDFAST_BOOTSTRAP_ADMIN_KEY", shared.adminKey());
        settings.put("HOLDFAST_CACHE", Options.besideHome(name) + "/no-cache");
        settings.putAll(more);
        var like = Options.beside(name, offset, settings);
        return new Options(
                like.home(),
                like.cache(),
                like.wildfly(),
                like.war(),
                like.httpPort(),
                like.httpsPort(),
                like.managementPort(),
                like.databasePort(),
                settings);
    }
}
