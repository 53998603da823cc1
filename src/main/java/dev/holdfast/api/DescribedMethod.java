package dev.holdfast.api;

import dev.holdfast.problem.Reason;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What the annotations of a method say of it that no scan puts into a description. */
record DescribedMethod(String verb, String path, Method method) {

    private static final String RANGE = "Range";

    /**
     * All methods of a resource.
     *
     * @param root the path of its application
     */
    static Stream<DescribedMethod> of(String root, Class<?> resource) {
        String base = root + resource.getAnnotation(Path.class).value();
        return Arrays.stream(resource.getDeclaredMethods())
                .flatMap(
                        method ->
                                verb(method)
                                        .map(
                                                verb ->
                                                        new DescribedMethod(
                                                                verb, path(base, method), method))
                                        .stream());
    }

    private static Optional<String> verb(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(each -> each.annotationType().getAnnotation(HttpMethod.class))
                .filter(each -> each != null)
                .map(HttpMethod::value)
                .findFirst();
    }

    private static String path(String base, Method method) {
        Path more = method.getAnnotation(Path.class);
        return more == null ? base : base + "/" + more.value();
    }

    /** The words of which a caller needs one. */
    List<String> permissions() {
        return said(RolesAllowed.class).map(RolesAllowed::value).map(List::of).orElse(List.of());
    }

    Set<Reason> refusals() {
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        for (Refuses said :
                new Refuses[] {
                    method.getAnnotation(Refuses.class),
                    method.getDeclaringClass().getAnnotation(Refuses.class)
                }) {
            if (said != null) {
                reasons.addAll(List.of(said.value()));
            }
        }
        return reasons;
    }

    /** The media types of an answer that are not JSON. */
    List<String> streams() {
        return said(Produces.class).stream()
                .flatMap(each -> Arrays.stream(each.value()))
                .map(each -> each.replaceFirst(";.*", ""))
                .filter(each -> !each.equals(MediaType.APPLICATION_JSON))
                .toList();
    }

    /** Whether a part of the answer can be asked for. */
    boolean givesParts() {
        return Arrays.stream(method.getParameters())
                .map(each -> each.getAnnotation(HeaderParam.class))
                .anyMatch(header -> header != null && header.value().equals(RANGE));
    }

    /** Whether a body is taken as it comes. */
    boolean takesStreams() {
        return Optional.ofNullable(method.getAnnotation(Consumes.class)).stream()
                .flatMap(each -> Arrays.stream(each.value()))
                .anyMatch(MediaType.APPLICATION_OCTET_STREAM::equals);
    }

    private <A extends Annotation> Optional<A> said(Class<A> type) {
        return Optional.ofNullable(method.getAnnotation(type))
                .or(() -> Optional.ofNullable(method.getDeclaringClass().getAnnotation(type)));
    }
}
