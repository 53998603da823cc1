package dev.holdfast.access;

import dev.holdfast.database.DatabaseTime;

import jakarta.annotation.security.PermitAll;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

/** The persons an OpenID provider vouches for. Nothing of them is kept but their sign-ins. */
@Stateless
@PermitAll
public class Persons {

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
