/**
 * A running sandbox becomes a snapshot, or is paused.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.capture.Captures}: accept a capture and wait for its
 * outcome. {@link dev.holdfast.capture.Pauses}: pause and wait until that is safe. {@link
 * dev.holdfast.capture.Drains}: pause all that a worker runs. The listener and the run behind it do
 * the work on the sandbox's worker.
 *
 * <p><b>The flow.</b> Accepting is one transaction: the sandbox is taken, the name and the quota
 * are reserved, the row is made and the request is sent to the worker's queue, all or nothing. The
 * worker claims the row by compare-and-set and commits; so a message that comes twice freezes
 * nothing twice. The run holds no transaction: it quiets the agent, writes the checkpoint to the
 * local disk, lets the sandbox go on, and then compresses, hashes and stores the parts and at last
 * the manifest. One transaction says SAVED, settles the quota and frees the sandbox.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>Whatever goes wrong, the source is RUNNING again, the name and the quota are free, and the
 *       row says why. A worker that died in the middle finds its unfinished captures when it starts
 *       and fails them; those of one that cannot be reached are failed by the others, and any at
 *       their deadline. A failure that the database does not hear of is told again until it has
 *       heard.
 *   <li>A request that nobody could carry out becomes a dead letter, which fails its capture; and
 *       if that cannot be written down now, it is tried until it can. Requests outlive the broker.
 *   <li>Durability goes objects, manifest, row. A crash between two of them leaves objects under a
 *       row that awaits its cleanup, never a SAVED row without its objects.
 *   <li>A client that leaves changes nothing. One that waits holds no thread. It finds the capture
 *       again by the operation's address, which every refusal names that has to do with it.
 *   <li>What came to nothing says why, by a stable reason beside the words, in the row and then in
 *       its tombstone.
 * </ul>
 *
 * <p><b>An end before the end.</b> A capture is cancelled by whoever may capture, or ends at its
 * deadline. Either changes the row alone, and at once: name and room are free, the source is
 * RUNNING. The worker looks at the row when the state is written, each second while it reads it for
 * storing, and when all is stored; it then removes what it has stored. A checkpoint is not broken
 * off, for the machine would be lost with it; the next capture of the source waits for it. Pauses
 * are not cancelled: who wants the sandbox connects to it. The deadline holds without the reaper: a
 * seal that comes late is refused.
 *
 * <p><b>Repeating.</b> An {@code Idempotency-Key} means the source, the name and the other choices
 * of its first call. Called again it waits for, and answers with, the same snapshot. A capture that
 * failed and a snapshot that was removed give the key back as they give the name back: nothing is
 * there that could be made twice, and who tries again wants it made.
 *
 * <p><b>A pause is a capture that never thaws.</b> The same acceptance, the same run and the same
 * seal, whoever asks for it: a caller, or the worker's tick at the end of a lifetime. The machine
 * stands still from the checkpoint on; it is ended when the row says PAUSED, and goes on when the
 * state could not be saved. What an operation in one of the states meets, it waits for or refuses
 * as the table of states says; no pause is refused for quota.
 *
 * <p><b>So is what a drain does</b> ({@link dev.holdfast.capture.Drains}): pauses a few at a time,
 * until nothing is left that can be paused. Since nobody who uses the sandbox wanted that, its row
 * remembers it: the lifetime goes on, and any request wakes it elsewhere. Whoever asks for a pause
 * of it, or for a lifetime, makes it an ordinary one. A stop of the server is a drain too, with a
 * time limit: it goes on when nothing is left that can be paused. A capture under way is waited
 * for, since only then its source can be paused.
 *
 * <p><b>So is the last capture</b> of a sandbox that is captured before it ends ({@link
 * dev.holdfast.capture.AutoCaptures}, room {@code autosave}): taken as for a pause, but charged and
 * kept as a snapshot. The transaction that says SAVED, or why not, ends the sandbox; its machine is
 * given up either way and never goes on. To cancel it ends the sandbox at once.
 *
 * <p><b>So is the state before a restore in place</b>, except that a limit can refuse it, that it
 * may be cancelled, and that its seal hands the sandbox to the worker that makes the other state's
 * machine.
 *
 * <p>A pause without memory writes the same checkpoint: of a machine under gVisor the disk alone
 * cannot be had. The memory is then not used: the sandbox made from it ends every process before
 * anybody can talk to it, and has a new boot ID. So a pause that fails has still ended nothing.
 *
 * <p><b>Races.</b> Two captures of one sandbox: the row's lock lets one take it, the other is told
 * {@code sandbox_busy} with the upload ID. Two captures under one name: the unique index lets one
 * in. A capture and the deletion of its template: whoever comes first to the template's row; the
 * capture is taken, or refused with {@code template_deleted} before anything is reserved. A capture
 * and the end of its source: if the checkpoint was complete the snapshot is saved, else it fails. A
 * capture and its deadline: whoever changes the row first wins; a run that lost removes what it
 * stored. A pause and the end of its sandbox: the end wins, and the state is removed with it. A
 * server that dies in a pause: the row is still PAUSING, and the machine that stood still is
 * adopted and goes on; or it is PAUSED, and the machine is nobody's and is removed. A capture and
 * the loss of its worker: the source has ended at once; the capture is saved by the worker if that
 * still works, or failed by the others, whoever changes its row first.
 *
 * <p><b>Out of scope.</b> Expiry and cleanup: room {@code expiry}.
 */
package dev.holdfast.capture;
