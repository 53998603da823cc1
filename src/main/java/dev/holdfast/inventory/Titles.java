package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.snapshot.Snapshot;
import dev.holdfast.snapshot.SnapshotId;
import jakarta.ejb.Stateless;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What snapshots are called, for lists of other things that name them. */
@Stateless
public class Titles {

    @PersistenceContext EntityManager em;

    /** The qualified names of those of the project that have one. */
    public Map<UUID, String> of(ProjectId project, Optional<Slug> slug, Collection<UUID> ids) {
        Map<UUID, String> titles = new HashMap<>();
        if (slug.isEmpty() || ids.isEmpty()) {
            return titles;
        }
        String own = slug.get().value();
        em.createQuery(
                        "select s from Snapshot s where s.projectId = :project and s.id in :ids",
                        Snapshot.class)
                .setParameter("project", project.value())
                .setParameter("ids", ids)
                .getResultStream()
                .forEach(
                        each ->
                                each.name()
                                        .ifPresent(
                                                name ->
                                                        titles.put(
                                                                value(each.id()),
                                                                name.qualified(own))));
        return titles;
    }

    private static UUID value(SnapshotId id) {
        return id.value();
    }
}
