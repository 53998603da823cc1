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
     * Beside the server of the tests.
     *
     * @param name tells its home from others
     * @param offset tells its ports from others
     */
    public static Options beside(String name, int offset, Map<String, String> more)
            throws IOException {
        return of(SharedServer.get(), Options.beside(name, offset, Map.of()), more);
    }

    /**
     * @param place its home and its ports
     */
    public static Options of(LocalServer first, Options place, Map<String, String> more)
            throws IOException {
        var url = first.databaseUrl();
        var settings = new HashMap<>(first.options().settings());
        settings.remove("HOLDFAST_WORKER_ADDRESS");
        settings.put("HOLDFAST_WORKER_ID", "worker-2");
        settings.put("HOLDFAST_STORAGE_ROOT", first.options().home().resolve("store").toString());
        settings.put("HOLDFAST_DB_PORT", "" + first.options().databasePort());
        settings.put("HOLDFAST_DB_PASSWORD", url.substring(url.indexOf("password=") + 9));
        settings.put("HOLDFAST_BOOTSTRAP_API_KEY", first.apiKey());
        settings.put("HOLDFAST_BOOTSTRAP_ADMIN_KEY", first.adminKey());
        settings.put("HOLDFAST_CACHE", place.home() + "/no-cache");
        settings.put("HOLDFAST_JAVA_OPTIONS", Options.BRIEF);
        settings.putAll(more);
        return new Options(
                place.home(),
                place.cache(),
                place.wildfly(),
                place.war(),
                place.httpPort(),
                place.httpsPort(),
                place.managementPort(),
                place.databasePort(),
                settings);
    }
}
