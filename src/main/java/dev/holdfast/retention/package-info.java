/**
 * Which snapshots a project keeps: its policies, what they would let go, and why.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.retention.Policies}: the versions of a project's
 * policy. {@link dev.holdfast.retention.Reviews}: what the policy of a moment says of each
 * snapshot, looked at or carried out.
 *
 * <p><b>How a policy decides</b> ({@link dev.holdfast.retention.Rule}), pure and without a
 * database:
 *
 * <ul>
 *   <li>The first rule that is about a snapshot decides. One that no rule is about is kept, and so
 *       is everything under a policy without rules.
 *   <li>A rule counts per name, per source sandbox or over the whole project. Per name is per short
 *       name: of a short name and a tag there is only one at a time, so tags are the versions that
 *       are counted. An unnamed snapshot passes by a rule that has a name pattern or counts per
 *       name.
 *   <li>Of each hour, day, ISO week or month, in the time zone of the policy, the newest one stands
 *       for it, for as many periods as the rule says. Periods without a snapshot are not counted,
 *       so that a pause of the work costs none. Each figure is counted by itself and what one of
 *       them keeps is kept: a snapshot may be the third last and that of its week. So a figure that
 *       is added or raised never lets anything go.
 *   <li>What is younger than the minimum age is kept, and counts. What has reached the maximum age
 *       goes, whatever would keep it. A minimum age alone lets nothing go.
 *   <li>What is pinned, held or occupied never goes. It is counted like every other one, or what is
 *       let go would change whenever somebody starts a sandbox.
 * </ul>
 *
 * <p>What goes never changes what is said of the others, so a policy that is carried out twice at
 * one moment does nothing the second time.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A version is never changed in place. It rules what is saved from then on; what exists stays
 *       under the version that it was saved under, unless somebody says {@code applyToExisting} and
 *       shows that they have seen what would go. Which version rules a snapshot follows from the
 *       moment it was saved and is written in no row.
 *   <li>Each version looks at all snapshots of the project and decides on those that it rules. So
 *       newer ones push out older ones as they would have done without the new version.
 *   <li>A preview and the job {@code apply-retention} ask the same question; what the one shows of
 *       a moment is what the other lets go.
 *   <li>A policy only ends things sooner. How long a snapshot lives at most is settled when it is
 *       saved ({@link dev.holdfast.snapshot.Retentions}) and no policy prolongs it: whoever wants
 *       twelve monthly ones also sets {@code retentionSeconds} to a year.
 * </ul>
 *
 * <p><b>Out of scope.</b> Expiry and removal themselves: room {@code snapshot}. The job: room
 * {@code expiry}.
 */
package dev.holdfast.retention;
