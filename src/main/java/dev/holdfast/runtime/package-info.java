/**
 * Machines on this host. The only room that knows runsc, runc, network namespaces, nftables,
 * cgroups, loop mounts and the name forwarder; a port that knows no other room.
 *
 * <p><b>Operations.</b> {@link dev.holdfast.runtime.SandboxRuntime}: start, restore, checkpoint,
 * pause, resume, kill, list, adopt, usage, network (what a machine may reach); {@link
 * dev.holdfast.runtime.RunscRuntime} does them. {@link dev.holdfast.runtime.VolumeDisks}: file
 * systems that machines share and that outlive them. Settings: {@link
 * dev.holdfast.runtime.RuntimeConfig}.
 *
 * <p><b>Facts that must hold.</b>
 *
 * <ul>
 *   <li>All that belongs to a machine is found from one directory, {@code worker/machines/<id>},
 *       and from names that carry the instance's ID: the file {@code slot} tells link and
 *       addresses, {@code record.json} the process. The slot file is written before the link is
 *       made, the record before the slot becomes a machine (one rename, with the disk mounted in
 *       it), and both go last. So a run that is killed at any moment leaves nothing the next one
 *       does not find.
 *   <li>The rules are in place before any interface is, and shut every interface of the instance
 *       that no rule opens. They are replaced in one step, also after a restart, and put back
 *       within two seconds if others change them.
 *   <li>A machine is shut until its rules are in force, and its {@link dev.holdfast.runtime.Egress}
 *       is in its record: rules after a crash are those of before it. While they change, the record
 *       says shut; so nobody finds one that is too open.
 *   <li>Private ranges, the host and other machines stay closed whatever a list says, also when an
 *       allowed name leads there. IPv6 is closed.
 *   <li>A process is known by its number and its start time together.
 *   <li>A machine that lost something to the kernel (memory, tasks) ends as a whole, with the
 *       reason; a sandbox kernel without one of its parts hangs and does not say so.
 *   <li>What root inside can make grow on the host is bounded: overlay and error output by the
 *       machine's own file system, tmpfs and memory by the cgroup, tasks by the cgroup.
 *   <li>What machines share is mounted once, from one device, whoever still has it: a second device
 *       over the same image would destroy it. Its image has all its blocks of the disk. On the host
 *       no link on it is followed and no device on it opened. Nothing below a mount point is ever
 *       removed by its path.
 *   <li>Nothing of the server's environment reaches a command of this room.
 *   <li>Of a machine of the first generation, which shares the host's kernel: its users are nobody
 *       outside and nobody else's, whoever starts a program gains nothing by it, and what {@code
 *       SystemCalls} does not list is refused. It is never made unless an operator turned that on.
 * </ul>
 *
 * <p><b>Races, decided.</b>
 *
 * <ul>
 *   <li>Kill while it starts: the kill wins. The start's command is killed, the start fails with
 *       GONE and removes what it made; the kill returns when that has no process left. A kill that
 *       comes before the start is known here does not stop it: the caller orders these two.
 *   <li>Kill during a checkpoint: the kill wins and does not wait; the checkpoint fails with GONE
 *       and its directory is removed. A checkpoint during a kill fails with GONE.
 *   <li>Many kills: one does the work, all return when the processes are dead.
 *   <li>A machine dies while it is saved: GONE, no directory, and the end is told by the watch.
 *   <li>Checkpoint, pause, resume and network of one machine wait for each other, first come first
 *       served. Starts and restores of different machines share a few turns, so do checkpoints.
 *   <li>Two machines with one ID: the second is refused (EXISTS), the first is not touched.
 *   <li>Close while something starts: the start fails; what came too late to be seen by close
 *       refuses itself.
 *   <li>Two servers on one home: the second is refused by a file lock. Two homes on one host: each
 *       claims its own /16 under one host-wide lock, and looks only at names with its own ID.
 * </ul>
 *
 * <p><b>Out of scope.</b> Which machines should live (room {@code sandbox} decides, then calls
 * {@code adopt}); what is said over the FIFOs, and quieting it before a checkpoint (room {@code
 * agent}); compressing, hashing and keeping checkpoints (rooms {@code capture}, {@code storage});
 * making the runsc build and the template images (host preparation).
 *
 * <p><b>Decisions.</b>
 *
 * <ul>
 *   <li>Every machine has its own runsc state directory: names cannot be confused, and there is no
 *       {@code runsc delete} (1.3 to 1.8 s) on the way out; killing the cgroup ends it in under 100
 *       ms.
 *   <li>A restore needs a directory for every share of its image, and in it all that was open
 *       there. Whoever only looks at what a machine had is given empty ones, in which empty files
 *       and directories stand for what was open; its names are kept beside the image ({@code
 *       Standins}), as the machine's process had them open on the host when it was saved. They are
 *       not mounted read-only: what was open to be written could not be opened again, and what is
 *       mounted read-only at a restore stays writable for what runs there.
 *   <li>A slot is used once. Cleaning a used one for the next machine saves nothing that the thread
 *       in the background does not hide, and could carry something over.
 *   <li>nft is run once per change (8 ms). One long-lived nft would save half of it and be a
 *       process that can be lost with half a change.
 *   <li>A list of names is kept by a dnsmasq of the machine's own: it knows no other name, and puts
 *       the addresses that it answers into the machine's set before it answers. It has the
 *       capability to change rules and no other; it hears of the world only what the instance's
 *       forwarder, which has none, let through. One each and not one for all with the same list:
 *       what one machine asked opens nothing to another, and a flood of questions hurts its sender.
 *   <li>An address that an allowed name led to is reachable for an hour after the last connection
 *       to it was opened, and open connections go on. Answers live five minutes at most, so
 *       programs that ask again in time never see it close. Whoever shares an address with an
 *       allowed name is reachable with it: the rules see addresses, not names.
 *   <li>What may pass is marked on the connection with a number made of slot and lists. A change of
 *       the lists changes the number, and so cuts in both directions what is not let out anew; no
 *       list of connections has to be walked.
 *   <li>A name that goes takes all addresses with it: a set does not say which name one came from.
 *       Programs then ask again; names that only come leave the others alone.
 *   <li>The instance's address sits on the loopback device under a label: no kernel module is
 *       needed, and it tells other instances that the block is taken.
 *   <li>What a machine may not reach is rejected, not dropped: programs inside fail at once.
 *   <li>{@code net.ipv4.ip_forward} is turned on and stays on after close: others may need it by
 *       then.
 *   <li>The generations differ in {@code Engine} and bundle alone: slot, disk, link, rules, FIFOs,
 *       groups, record, watch and clean-up are the same, so both are adopted and removed the same
 *       way, and the rest of the server need not ask which one a machine is.
 *   <li>The first runs on runc and not on crun, which Debian has too but which refuses hosts with
 *       both kinds of control groups.
 *   <li>Its files are the very same image: mounted once more with the machine's users as owners (an
 *       idmapped mount, Linux 6.2), under an overlay on the machine's disk. An image with shifted
 *       owners would have to be built and kept for each template, and one shift for all machines
 *       would make them one user to the kernel.
 *   <li>All that is mounted where only the start of that machine sees it. Nothing of it can be left
 *       behind, and the private home need not be opened for its users to find their root.
 *   <li>Its root has no capability to mount, to set the host's name or to change its link, so the
 *       name is given at the start and ports below 1024 are opened to everybody in it.
 *   <li>Its root is bound by the number of processes as a user is: the kernel exempts only its own.
 *   <li>runsc of this generation runs nothing set-uid: {@code sudo} inside is the agent's matter.
 *   <li>A checkpoint past its deadline fails and its directory goes, but the machine is not killed:
 *       whoever talks to it will notice if it hangs.
 * </ul>
 */
package dev.holdfast.runtime;
