package dev.holdfast.api;

import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import java.lang.reflect.Method;
import java.util.Arrays;
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
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .flatMap(method -> verb(method).map(verb -> of(verb, method)).stream())
                .sorted(Comparator.comparing(ApiMethod::path).thenComparing(ApiMethod::verb));
    }

    private static ApiMethod of(String verb, Method method) {
        var type = method.getDeclaringClass();
        var path = type.getAnnotation(Path.class).value();
        var more = method.getAnnotation(Path.class);
        return new ApiMethod(
                verb,
                more == null ? path : (path + "/" + more.value()).replace("//", "/"),
                Optional.ofNullable(method.getAnnotation(RolesAllowed.class))
                        .or(() -> Optional.ofNullable(type.getAnnotation(RolesAllowed.class)))
                        .map(RolesAllowed::value)
                        .map(List::of)
                        .orElse(List.of()),
                method);
    }

    private static Optional<String> verb(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(each -> each.annotationType().getAnnotation(HttpMethod.class))
                .filter(each -> each != null)
                .map(HttpMethod::value)
                .findFirst();
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
