package dev.holdfast.access;

import dev.holdfast.database.DatabaseTime;
import jakarta.annotation.security.PermitAll;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The persons an OpenID provider vouches for. Of them only their names are kept. */
@Stateless
@PermitAll
public class Persons {

    private static final int MOST_NAMES = 200;

    @PersistenceContext private EntityManager em;
    @Inject private DatabaseTime time;

    /**
     * Whether they are taken now. Outside any transaction, because it is part of every request and
     * only reads.
     */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public Recognition recognise(Person person) {
        if (!time.now().isBefore(person.endsAt())) {
            return Recognition.ended();
        }
        return person.project().filter(this::isClosed).isPresent()
                ? Recognition.closed()
                : new Recognition.Accepted(person);
    }

    /** They have come in, and are called so from now on. */
    public void note(String subject, String name, Set<ProjectId> projects) {
        for (ProjectId project : projects) {
            em.createNativeQuery(
                            "insert into person (project_id, subject, name, seen_at) values"
                                    + " (:project, :subject, :name, clock_timestamp()) on conflict"
                                    + " (project_id, subject) do update set name = excluded.name,"
                                    + " seen_at = excluded.seen_at")
                    .setParameter("project", project.value())
                    .setParameter("subject", subject)
                    .setParameter("name", name)
                    .executeUpdate();
        }
    }

    /**
     * What the persons of these projects are called, by their principals; of very many those who
     * came last.
     */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public Map<String, String> names(Set<ProjectId> projects) {
        if (projects.isEmpty()) {
            return Map.of();
        }
        List<?> rows =
                em.createNativeQuery(
                                "select subject, name from person where project_id in (:projects)"
                                        + " order by seen_at desc limit :most")
                        .setParameter("projects", projects.stream().map(ProjectId::value).toList())
                        .setParameter("most", MOST_NAMES)
                        .getResultList();
        var names = new LinkedHashMap<String, String>();
        for (Object row : rows) {
            var columns = (Object[]) row;
            names.putIfAbsent(Principal.person((String) columns[0]).text(), (String) columns[1]);
        }
        return names;
    }

    private boolean isClosed(ProjectId project) {
        return em.createQuery(
                                "select count(p) from Project p where p.id = :id and p.closedAt is"
                                        + " null",
                                Long.class)
                        .setParameter("id", project.value())
                        .getSingleResult()
                == 0;
    }
}
