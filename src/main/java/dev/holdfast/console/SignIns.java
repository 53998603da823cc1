package dev.holdfast.console;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.Grants;
import dev.holdfast.access.Person;
import dev.holdfast.access.Persons;
import dev.holdfast.access.Principal;
import dev.holdfast.access.ProjectId;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.database.DatabaseTime;
import jakarta.annotation.security.PermitAll;
import jakarta.ejb.Asynchronous;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Who is signed in to the console: begin, recognise, end. */
@Stateless
@PermitAll
public class SignIns {

    /** How many a key or a person may have at once; one more ends the oldest. */
    private static final int MOST = 50;

    /** How many that are over are removed when one begins, so that they do not gather. */
    private static final int SWEPT = 200;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** One that holds at this moment of the database. */
    record Held(SignIn signIn, Instant at) {}

    @PersistenceContext EntityManager em;
    @Inject Audit audit;
    @Inject ConsoleConfig config;
    @Inject DatabaseTime time;
    @Inject Persons persons;

    /** Somebody who has shown this key is signed in from now on by the secret alone. */
    public SignInSecret begin(ApiKey key) {
        sweep();
        makeRoom("api_key_id", key.id().value());
        var secret = SignInSecret.random(RANDOM);
        em.persist(new SignIn(secret, key, config.longest(), time.now()));
        audit.done(told(Action.CONSOLE_SIGN_IN, key));
        return secret;
    }

    /**
     * The same of a person; told in the audit of every project that they may enter.
     *
     * @param longest for how long at most
     */
    public SignInSecret begin(Arrival arrival, Duration longest) {
        sweep();
        makeRoom("subject", arrival.subject());
        var secret = SignInSecret.random(RANDOM);
        var signIn = new SignIn(secret, arrival, longest, time.now());
        em.persist(signIn);
        persons.note(arrival.subject(), arrival.name(), arrival.grants().projects().keySet());
        tell(Action.CONSOLE_SIGN_IN, signIn);
        return secret;
    }

    /**
     * The one that holds. Outside any transaction, because it is part of every request and only
     * reads.
     */
    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    public Optional<Held> find(SignInSecret secret) {
        return em.createQuery(
                        "select s, instant from SignIn s where s.sha256 = :sha256", Object[].class)
                .setParameter("sha256", secret.sha256())
                .getResultStream()
                .map(row -> new Held((SignIn) row[0], (Instant) row[1]))
                .filter(held -> held.signIn().holdsAt(held.at(), config.idle()))
                .findFirst();
    }

    /** It goes on, unless somebody has said so within the minute. */
    @Asynchronous
    @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
    public void noteUse(UUID id) {
        em.createNativeQuery(
                        "update sign_in set seen_at = clock_timestamp() where id = :id"
                                + " and seen_at < clock_timestamp() - interval '1 minute'")
                .setParameter("id", id)
                .executeUpdate();
    }

    /**
     * Whoever still shows it is a stranger.
     *
     * @return where the provider of a person wants to hear of it
     */
    public Optional<String> end(SignInSecret secret) {
        var left = find(secret).map(Held::signIn);
        if (left.isEmpty() || remove(secret) == 0) {
            return Optional.empty();
        }
        left.get()
                .key()
                .map(id -> em.find(ApiKey.class, id.value()))
                .ifPresentOrElse(
                        key -> audit.done(told(Action.CONSOLE_SIGN_OUT, key)),
                        () -> tell(Action.CONSOLE_SIGN_OUT, left.get()));
        return left.get().farewell();
    }

    private int remove(SignInSecret secret) {
        return em.createQuery("delete from SignIn s where s.sha256 = :sha256")
                .setParameter("sha256", secret.sha256())
                .executeUpdate();
    }

    private void sweep() {
        em.createNativeQuery(
                        "delete from sign_in where id in (select id from sign_in where ends_at <"
                                + " clock_timestamp() order by ends_at limit :most for update skip"
                                + " locked)")
                .setParameter("most", SWEPT)
                .executeUpdate();
    }

    /**
     * @param column what says whose they are
     */
    private void makeRoom(String column, Object whose) {
        em.createNativeQuery(
                        "delete from sign_in where id in (select id from sign_in where "
                                + column
                                + " = :whose order by begun_at desc offset :kept)")
                .setParameter("whose", whose)
                .setParameter("kept", MOST - 1)
                .executeUpdate();
    }

    private void tell(Action action, SignIn signIn) {
        Person person = signIn.person();
        Deed deed =
                Deed.of(action, new Subject("person", person.subject()))
                        .by(person.principal().text())
                        .with("name", person.name());
        Grants grants = signIn.grants().orElseThrow();
        if (grants.projects().isEmpty()) {
            audit.done(deed);
        }
        grants.projects().keySet().forEach(project -> audit.done(deed.in(project.value())));
    }

    private static Deed told(Action action, ApiKey key) {
        return Deed.of(action, Subject.key(key.id()))
                .in(key.project().map(ProjectId::value).orElse(null))
                .by(Principal.key(key.id()).text())
                .with("name", key.name())
                .with("key", key.masked());
    }
}
