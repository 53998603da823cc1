package dev.holdfast.api;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Audit;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Subject;
import dev.holdfast.snapshot.Removals;
import dev.holdfast.snapshot.SnapshotId;
import dev.holdfast.snapshot.Trash;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;

/** Deletes what closed projects have left, a piece at a time, so that no transaction is long. */
@ApplicationScoped
public class Purges {
    private static final int PIECE = 100;

    @Inject Piece piece;

    /**
     * @return how many were deleted
     * @throws dev.holdfast.problem.Problem {@code project_not_closed}
     */
    @Transactional(Transactional.TxType.NOT_SUPPORTED)
    public int purge(ProjectId project) {
        int all = 0;
        int some;
        do {
            some = piece.delete(project, all == 0);
            all += some;
        } while (some == PIECE);
        do {
            some = piece.empty(project);
            all += some;
        } while (some == PIECE);
        return all;
    }

    /** One transaction. */
    @ApplicationScoped
    public static class Piece {
        @Inject Audit audit;
        @Inject Projects projects;
        @Inject Removals removals;
        @Inject Trash trash;

        @Transactional
        public int delete(ProjectId project, boolean first) {
            List<SnapshotId> left = removals.leftOfClosed(project, PIECE);
            removals.drop(left);
            if (first) {
                audit.done(
                        Deed.of(Action.PROJECT_PURGE, Subject.project(project))
                                .in(project.value()));
            }
            return left.size();
        }

        /** Only as long as the project stays closed. */
        @Transactional
        public int empty(ProjectId project) {
            projects.requireClosed(project);
            return trash.empty(project, PIECE);
        }
    }
}
