package dev.holdfast.problem;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ejb.EJBAccessException;
import jakarta.ejb.EJBException;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.resource.ResourceException;
import jakarta.transaction.RollbackException;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.NotSupportedException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.transaction.xa.XAException;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
    private static Problem problem(Throwable thrown) {
        return Diagnosis.of(thrown, true).problem();
    }

    private static EJBException wrapped(Exception cause) {
        return new EJBException(new RuntimeException(cause));
    }

    @Test
    void findsAProblemUnderWhatTheContainerWrapsAroundIt() {
        var busy = new Problem(Reason.SANDBOX_BUSY, "busy");

        assertThat(problem(wrapped(busy))).isSameAs(busy);
        assertThat(problem(new NotFoundException(busy))).isSameAs(busy);
    }

    @Test
    void tellsABrokerThatWentBeforeTheCommitFromADatabaseThatDid() {
        var undone = new RollbackException("could not commit");
        undone.addSuppressed(new XAException(XAException.XAER_RMFAIL));
        assertThat(problem(wrapped(undone)).reason()).isEqualTo(Reason.BROKER_UNAVAILABLE);
        assertThat(problem(wrapped(undone)).retryAfter()).isPresent();

        var other = new RollbackException("could not commit");
        other.addSuppressed(databaseFailed(XAException.XAER_RMFAIL));
        assertThat(problem(wrapped(other)).reason()).isEqualTo(Reason.TEMPORARILY_UNAVAILABLE);

        var refused = new RollbackException("could not commit");
        refused.addSuppressed(databaseFailed(XAException.XAER_RMERR));
        assertThat(problem(wrapped(refused)).reason()).isEqualTo(Reason.INTERNAL_ERROR);
    }

    private static XAException databaseFailed(int code) {
        return new XAException(code) {
            private static final long serialVersionUID = 1L;
        };
    }

    @Test
    void saysThatTheDatabaseIsAwayHoweverItIsFoundOut() {
        var away =
                List.of(
                        new SQLException("FATAL: the database system is shutting down", "57P03"),
                        new SQLException("FATAL: terminating connection", "57P01"),
                        new SQLException("FATAL: sorry, too many clients already", "53300"),
                        new SQLException("An I/O error occurred", "08006"),
                        new SQLException(new ResourceException("IJ000453: no connection")));
        for (var each : away) {
            var problem = problem(wrapped(new PersistenceException(each)));
            assertThat(problem.reason()).as(each.toString()).isEqualTo(Reason.TEMPORARILY_UNAVAILABLE);
            assertThat(problem.retryAfter()).isPresent();
            assertThat(problem).hasMessageNotContaining("FATAL").hasMessageNotContaining("IJ");
        }
    }

    @Test
    void survivesADatabaseErrorWithoutAState() {
        assertThat(problem(new SQLException("the pool says so")).reason())
                .isEqualTo(Reason.INTERNAL_ERROR);
    }

    @Test
    void neverLeaksTheMessageOfTheUnforeseen() {
        var diagnosis = Diagnosis.of(new IllegalStateException("password=hunter2"), true);

        assertThat(diagnosis.unexpected()).isTrue();
        assertThat(diagnosis.problem().reason()).isEqualTo(Reason.INTERNAL_ERROR);
        assertThat(diagnosis.problem()).hasMessageNotContaining("hunter2");
    }

    @Test
    void tellsAStrangerFromACallerWithoutPermission() {
        for (var denial :
                new RuntimeException[] {new EJBAccessException(), new ForbiddenException()}) {
            assertThat(Diagnosis.of(denial, false).problem().reason())
                    .isEqualTo(Reason.UNAUTHENTICATED);
            assertThat(Diagnosis.of(denial, true).problem().reason())
                    .isEqualTo(Reason.PERMISSION_MISSING);
            assertThat(Diagnosis.of(denial, true).unexpected()).isFalse();
        }
    }

    @Test
    void callsALostRaceAConflictWhereverItIsBuried() {
        assertThat(problem(wrapped(new OptimisticLockException())).reason())
                .isEqualTo(Reason.CONCURRENT_CHANGE);
        for (var state : Set.of("40001", "40P01", "55P03")) {
            var sql = new PersistenceException(new SQLException("x", state));
            assertThat(problem(wrapped(sql)).reason()).isEqualTo(Reason.CONCURRENT_CHANGE);
        }
    }

    @Test
    void takesOtherDatabaseErrorsForUnforeseen() {
        var sql = new PersistenceException(new SQLException("table account", "42P01"));

        assertThat(Diagnosis.of(sql, true).unexpected()).isTrue();
        assertThat(problem(sql)).hasMessageNotContaining("account");
    }

    @Test
    void translatesWhatJaxRsRefuses() {
        assertThat(problem(new NotFoundException()).reason()).isEqualTo(Reason.NOT_FOUND);
        assertThat(problem(new NotAllowedException("GET")).reason())
                .isEqualTo(Reason.METHOD_NOT_ALLOWED);
        assertThat(problem(new NotSupportedException()).reason())
                .isEqualTo(Reason.UNSUPPORTED_MEDIA_TYPE);
    }

    @Test
    void namesTheParameterThatCouldNotBeConverted() {
        var thrown =
                new NotFoundException(
                        "Unable to extract parameter: jakarta.ws.rs.QueryParam(\"limit\") is 'x'");

        assertThat(problem(thrown).reason()).isEqualTo(Reason.INVALID_PARAMETER);
        assertThat(problem(thrown).members()).containsEntry("parameter", "limit");
    }

    @Test
    void survivesARingOfCauses() {
        var first = new IllegalStateException("a");
        first.initCause(new IllegalStateException("b", first));

        assertThat(problem(first).reason()).isEqualTo(Reason.INTERNAL_ERROR);
    }

    @Test
    void doesNotBlameTheCallerForAViolationWithoutAPlace() {
        var thrown = new ConstraintViolationException(Set.of());

        assertThat(Diagnosis.of(thrown, true).unexpected()).isTrue();
    }
}
