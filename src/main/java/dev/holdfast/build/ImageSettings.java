package dev.holdfast.build;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What an image's configuration says of its programs.
 *
 * @param environment their variables
 */
record ImageSettings(Map<String, String> environment) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,127}");
    private static final int MOST_VARIABLES = 64;
    private static final int MOST_CHARACTERS = 16 * 1024;

    ImageSettings {
        environment = Map.copyOf(environment);
    }

    /**
     * Reads the configuration of an OCI image; a plain archive has an empty one.
     *
     * @throws BuildFailure for one that is not what it should be
     */
    static ImageSettings read(Path file) throws IOException, BuildFailure {
        if (Files.size(file) == 0) {
            return new ImageSettings(Map.of());
        }
        try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                var json = Json.createReader(text)) {
            return of(json.readObject());
        } catch (JsonException | ClassCastException | IOException e) {
            throw new BuildFailure("its image's configuration cannot be read");
        }
    }

    private static ImageSettings of(JsonObject image) throws BuildFailure {
        Map<String, String> environment = new LinkedHashMap<>();
        int characters = 0;
        if (image.get("config") instanceof JsonObject config
                && config.containsKey("Env")
                && !config.isNull("Env")) {
            for (JsonValue each : config.getJsonArray("Env")) {
                String line = ((JsonString) each).getString();
                int equals = line.indexOf('=');
                String name = line.substring(0, Math.max(0, equals));
                if (!NAME.matcher(name).matches() || line.indexOf('\0') >= 0) {
                    throw new BuildFailure("its image's configuration has a malformed variable");
                }
                environment.put(name, line.substring(equals + 1));
                characters += line.length();
            }
        }
        if (environment.size() > MOST_VARIABLES || characters > MOST_CHARACTERS) {
            throw new BuildFailure(
                    "its image's configuration has more than "
                            + MOST_VARIABLES
                            + " variables or "
                            + MOST_CHARACTERS
                            + " characters in them");
        }
        return new ImageSettings(environment);
    }
}
