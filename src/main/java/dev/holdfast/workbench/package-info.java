/**
 * The Workbench: sessions, profiles and contexts behind the browser page.
 *
 * <p><b>Words.</b> A <i>session</i> is a sandbox that was opened in the Workbench, under the
 * sandbox's own ID; one that was made elsewhere becomes a session when a tab opens it. A
 * <i>profile</i> is the configuration a session will run with: lifetime, idle time, internet access
 * and what happens at the timeout, under a name. A <i>context</i> is one interpreter in a session;
 * an <i>execution</i> is code that runs in it.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.workbench.Sessions}: open, list, hold by a tab, extend.
 * {@link dev.holdfast.workbench.Profiles}: what can be chosen. {@link
 * dev.holdfast.workbench.Contexts}: interpreters and what runs in them, {@link
 * dev.holdfast.workbench.Namespaces}: what they know. {@link dev.holdfast.workbench.SessionFiles}
 * and {@link dev.holdfast.workbench.SessionProcesses}: what else is in a session.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>A session is made by the one way that makes sandboxes, and saved by the one way that
 *       captures them: no state is taken or put back here.
 *   <li>To load is to open another session. Nothing is given up for it here: the page ends the
 *       former one when the new one runs, so a load that is refused or fails leaves it as it was.
 *   <li>A session from a template sees the volumes that are asked for with it; one from a snapshot
 *       sees those of the snapshot, with what is in them then. Nothing is mounted here.
 *   <li>What is asked of the inside of a session is asked on the node where it runs: room {@code
 *       gateway} has passed it on before it comes here. What comes here all the same runs on a
 *       worker that no other node reaches.
 *   <li>A call whose session ends, or is paused, while it is under way is answered as one that
 *       comes a moment later. Only where the row does not say so is it {@code
 *       temporarily_unavailable}.
 *   <li>One tab has a session open. It says so again and again; one that has been silent for 30 s
 *       has been closed. Another tab is told, and takes it over only when it says so.
 *   <li>What is in a session is hostile: lists, texts and lines are bounded here, streams go at the
 *       reader's pace, and no stream and no wait holds a thread. Contents of files leave as
 *       attachments.
 *   <li>Drafts and the history of commands never come here: they stay in the browser.
 * </ul>
 *
 * <p><b>Out of scope.</b> Captures ({@code capture}), restores ({@code restore}), the verdict
 * ({@code snapshot}), the JSON of all this ({@code api}).
 *
 * <p><b>Decisions.</b> A session has a row beside the sandbox's, and not a mark in its metadata,
 * because metadata are the owner's and go into every snapshot. Profiles are configuration and not
 * rows: they are few, an installation's own, and are to be the same on every node. The room speaks
 * to the agent itself, as {@code envd} does: a browser is not to be given the tokens of a sandbox,
 * and what it needs is typed.
 */
package dev.holdfast.workbench;
