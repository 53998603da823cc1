package dev.holdfast.console;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The console's files in the WAR, each read and packed once. */
final class Assets {

    static final String PAGE = "/index.html";

    private static final String ROOT = "/console";
    private static final String LIBRARIES = "/lib/";
    private static final Pattern PATH =
            Pattern.compile("(/[A-Za-z0-9_@-][A-Za-z0-9._@-]*)+\\.([a-z0-9]{2,5})");
    private static final int EXTENSION = 2;

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html;charset=utf-8",
                    "js", "text/javascript;charset=utf-8",
                    "css", "text/css;charset=utf-8",
                    "svg", "image/svg+xml",
                    "json", "application/json",
                    "png", "image/png",
                    "woff2", "font/woff2");

    private final ServletContext context;
    private final Map<String, Asset> known = new ConcurrentHashMap<>();

    Assets(ServletContext context) {
        this.context = context;
    }

    /** The one page, whatever its address. */
    Asset page() throws IOException {
        return find(PAGE).orElseThrow(() -> new IOException("The console has no page"));
    }

    /** Empty if there is no such file; what is kept is bounded by what is in the WAR. */
    Optional<Asset> find(String path) throws IOException {
        Asset asset = known.get(path);
        if (asset != null) {
            return Optional.of(asset);
        }
        var form = PATH.matcher(path);
        if (!form.matches() || !TYPES.containsKey(form.group(EXTENSION))) {
            return Optional.empty();
        }
        try (var content = context.getResourceAsStream(ROOT + path)) {
            if (content == null) {
                return Optional.empty();
            }
            asset =
                    Asset.of(
                            content.readAllBytes(),
                            TYPES.get(form.group(EXTENSION)),
                            path.startsWith(LIBRARIES));
        }
        known.put(path, asset);
        return Optional.of(asset);
    }

    /** Whether an address is a file's, so that the page is no answer to it. */
    static boolean isFile(String path) {
        return path.startsWith(LIBRARIES) || path.indexOf('/', 1) < 0 && path.contains(".");
    }
}
