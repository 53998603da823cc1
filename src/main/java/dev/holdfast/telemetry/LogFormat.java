package dev.holdfast.telemetry;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How the server writes its console: for people, or one JSON object a line for programs. */
public enum LogFormat {
    TEXT,
    JSON;

    public static final String SETTING = "HOLDFAST_LOG_FORMAT";

    /** What container engines put into what they start. */
    private static final List<Path> MARKS =
            List.of(Path.of("/.dockerenv"), Path.of("/run/.containerenv"));

    private static final List<String> VARIABLES = List.of("KUBERNETES_SERVICE_HOST", "container");

    /**
     * What the setting says. Where it says nothing, JSON in a container, whose console goes to
     * programs, and text elsewhere.
     *
     * @param setting gives the value of an environment variable, empty if there is none
     * @param exists whether there is such a file
     */
    public static LogFormat of(Function<String, String> setting, Predicate<Path> exists) {
        String said = setting.apply(SETTING).strip().toLowerCase(Locale.ROOT);
        if (said.isEmpty()) {
            return isContainer(setting, exists) ? JSON : TEXT;
        }
        return Arrays.stream(values())
                .filter(format -> format.word().equals(said))
                .findAny()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        SETTING
                                                + " is "
                                                + Arrays.stream(values())
                                                        .map(LogFormat::word)
                                                        .collect(Collectors.joining(" or "))
                                                + ", not "
                                                + said));
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static boolean isContainer(Function<String, String> setting, Predicate<Path> exists) {
        return MARKS.stream().anyMatch(exists)
                || VARIABLES.stream().anyMatch(name -> !setting.apply(name).isBlank());
    }
}
