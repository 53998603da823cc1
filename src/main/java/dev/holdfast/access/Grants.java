package dev.holdfast.access;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a person may do, and in which projects.
 *
 * @param projects in the order in which they are shown
 * @param ofService whether they administer the service besides
 */
public record Grants(Map<ProjectId, Set<Permission>> projects, boolean ofService) {

    /** More are not given; who has all of them administers the service. */
    public static final int MOST = 100;

    public Grants {
        var copy = new LinkedHashMap<ProjectId, Set<Permission>>();
        projects.forEach((project, permissions) -> copy.put(project, Set.copyOf(permissions)));
        projects = Collections.unmodifiableMap(copy);
        if (projects.size() > MOST
                || projects.values().stream()
                        .anyMatch(
                                each ->
                                        each.isEmpty()
                                                || !Permission.ofProject().containsAll(each))) {
            throw new IllegalArgumentException(
                    "Of at most " + MOST + " projects, something that means something in each");
        }
    }

    public boolean isEmpty() {
        return projects.isEmpty() && !ofService;
    }

    /** Everything they may in a project; of one that is not theirs what the service may. */
    public Set<Permission> in(Optional<ProjectId> project) {
        var all = EnumSet.noneOf(Permission.class);
        project.map(projects::get).ifPresent(all::addAll);
        if (ofService) {
            all.add(Permission.SERVICE_ADMIN);
        }
        return Collections.unmodifiableSet(all);
    }

    /** All that they may in one project or another. */
    public Set<Permission> anywhere() {
        var all = EnumSet.noneOf(Permission.class);
        projects.values().forEach(all::addAll);
        all.addAll(in(Optional.empty()));
        return Collections.unmodifiableSet(all);
    }

    /**
     * Of which project something is asked: the one that is meant, if it is theirs. Whoever means
     * another one is told the same as with a key, so they ask as of a project of their own; who
     * administers the service asks as the service.
     */
    public Optional<ProjectId> chosen(Optional<ProjectId> meant) {
        return meant.filter(projects::containsKey)
                .or(() -> ofService ? Optional.empty() : projects.keySet().stream().findFirst());
    }
}
