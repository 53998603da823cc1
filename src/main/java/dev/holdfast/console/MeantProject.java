package dev.holdfast.console;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which project a path of the native API names, be there such a one or not. */
final class MeantProject {

    private static final Pattern FORM = Pattern.compile("/projects/([A-Za-z0-9_-]{1,128})(?:/.*)?");

    private MeantProject() {}

    /**
     * @param path below the servlet, decoded; null when there is none
     */
    static Optional<String> in(String path) {
        Matcher form = FORM.matcher(path == null ? "" : path);
        return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
    }
}
