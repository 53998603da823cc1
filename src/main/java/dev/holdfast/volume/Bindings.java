package dev.holdfast.volume;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/** What a sandbox that is being made mounts, and where that can be done. */
@Stateless
public class Bindings {

    @Inject Homes homes;
    @Inject Volumes volumes;

    /**
     * The mounts that a new sandbox asks for. Until the caller's transaction ends none of the
     * volumes is deleted.
     *
     * @throws Problem {@code volume_not_found}
     */
    public List<Mount> mounts(ProjectId project, Wishes wishes) {
        List<Mount> mounts = wishes.all().stream().map(wish -> mount(project, wish)).toList();
        if (mounts.stream().map(Mount::volume).distinct().count() < mounts.size()) {
            throw Wishes.twice();
        }
        return mounts;
    }

    private Mount mount(ProjectId project, Wish wish) {
        Volume volume =
                volumes.kept(project, wish.volume())
                        .orElseThrow(() -> Absent.volume(wish.volume()));
        return new Mount(volume.id(), volume.name(), wish.path());
    }

    /**
     * The same for mounts that a saved state names.
     *
     * @throws Problem {@code volume_deleted}
     */
    public void keep(ProjectId project, List<Mount> mounts) {
        for (Mount mount : mounts) {
            volumes.kept(project, mount.volume().toString())
                    .orElseThrow(() -> Absent.mounted(mount));
        }
    }

    /**
     * The one worker that has all of these.
     *
     * @return empty for no mounts, which any worker can make
     * @throws Problem {@code volume_elsewhere} when none has them all, {@code volume_unavailable}
     *     when it is not heard of
     */
    public Optional<String> home(List<Mount> mounts) {
        List<Volume> mounted =
                mounts.stream()
                        .map(
                                mount ->
                                        volumes.find(mount.volume())
                                                .orElseThrow(() -> Absent.mounted(mount)))
                        .toList();
        mounted.forEach(homes::requireReachable);
        List<String> having = mounted.stream().map(Volume::worker).distinct().toList();
        if (having.size() > 1) {
            throw new Problem(
                            Reason.VOLUME_ELSEWHERE,
                            "These volumes are on different workers, and a sandbox runs on one."
                                    + " Mount volumes of one worker, or copy what it needs.")
                    .with("workers", having);
        }
        return having.stream().findFirst();
    }
}
