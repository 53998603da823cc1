package dev.holdfast.api;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A method of an application as its annotations say, so that no list of them can be out of date.
 *
 * @param permissions the words of which one is needed
 */
record ApiMethod(String verb, String path, List<String> permissions, Method method) {

    static Stream<ApiMethod> of(Application application) {
        return application.getClasses().stream()
                .filter(type -> type.isAnnotationPresent(Path.class))
                .flatMap(type -> DescribedMethod.of("", type))
                .map(
                        each ->
                                new ApiMethod(
                                        each.verb(),
                                        each.path(),
                                        each.permissions(),
                                        each.method()))
                .sorted(Comparator.comparing(ApiMethod::path).thenComparing(ApiMethod::verb));
    }

    /** What a body of it may be declared as. */
    String mediaType() {
        return Optional.ofNullable(method.getAnnotation(Consumes.class))
                .map(each -> each.value()[0])
                .filter(each -> !each.equals(MediaType.WILDCARD))
                .orElse(MediaType.APPLICATION_JSON);
    }

    /** Its path with each parameter but the project's replaced by something that is not there. */
    String address(String project) {
        return path.replace("{project}", project).replaceAll("\\{[^}]+\\}", "none");
    }
}
