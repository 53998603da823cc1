package dev.holdfast.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * runc's command lines, for a machine of the first generation: the host's kernel, a user namespace
 * whose users are nobody outside, and the same image, disk, link, groups and FIFOs as a machine of
 * the second.
 *
 * @param stage an empty directory to mount over
 * @param template where the image is mounted
 * @param namespace the machine's network
 * @param firstId what root inside is outside
 */
record Runc(Cell cell, Path stage, Path template, String namespace, long firstId)
        implements Engine {
    /** Users of a machine: every number that programs expect to exist. */
    static final long IDS = 65_536;

    /**
     * Above everything that hosts give to users and to containers. A slot has its own, so that no
     * two machines are one user to the kernel, which counts pipes, keys and the like by user.
     */
    private static final long FIRST_ID = 1L << 31;

    /**
     * The image's files as the machine's users own them. mount(8) can do this from 2.39 on only;
     * Perl is on every Debian and can make the three system calls, which have one number
     * everywhere.
     */
    private static final String MAPPED =
            """
            my ($from, $to, $first, $count) = @ARGV;
            sub call {
                my ($name, $number, @arguments) = @_;
                my $answer = syscall($number, @arguments);
                die "$name: $!\\n" if $answer < 0;
                return $answer;
            }
            my $holder = open(my $end, '|-', 'unshare', '--user', 'cat') // die "unshare: $!\\n";
            my $ours = readlink('/proc/self/ns/user');
            while ((readlink("/proc/$holder/ns/user") // die "no user namespace\\n") eq $ours) {
                die "unshare ended\\n" if waitpid($holder, 1) == $holder;
                select(undef, undef, undef, 0.001);
            }
            for my $kind ('uid', 'gid') {
                open(my $map, '>', "/proc/$holder/${kind}_map") // die "${kind}_map: $!\\n";
                print $map "0 $first $count\\n";
                close($map) // die "${kind}_map: $!\\n";
            }
            open(my $users, '<', "/proc/$holder/ns/user") // die "user namespace: $!\\n";
            my $itself = '';
            my $tree = call('open_tree', 428, -100, $from, 0x80001);
            my $change = pack('Q4', 0x100000, 0, 0, fileno($users));
            call('mount_setattr', 442, $tree, $itself, 0x1000, $change, length($change));
            call('move_mount', 429, $tree, $itself, -100, $to, 4);
            """;

    /**
     * Everything is mounted in a mount namespace that ends with this command: the machine keeps
     * what it was given, and the host has nothing to unmount after a crash. The overlay holds the
     * image by itself. sysfs is the machine's network's, read-only. Ports below 1024 are open to
     * the machine's root, which owns its user namespace but not its network.
     */
    private static final String STAGED =
            """
            set -e
            in=$1 out=$2 err=$3 stage=$4 template=$5 disk=$6 first=$7 count=$8 net=/run/netns/$9
            shift 9
            map=$1
            shift
            exec 2>"$err"
            chown "$first:$first" "$in" "$out" "$err"
            mkdir -p -m 0711 "$stage"
            mount -t tmpfs -o mode=0711,size=64k holdfast "$stage"
            mkdir "$stage/image" "$stage/root" "$stage/sys"
            perl -e "$map" -- "$template" "$stage/image" "$first" "$count"
            cd "$disk"
            mkdir -m 0755 upper work
            chown "$first:$first" upper
            mount -t overlay -o "nodev,nosuid,lowerdir=$stage/image,upperdir=upper,workdir=work" holdfast "$stage/root"
            umount "$stage/image"
            cd /
            nsenter --net="$net" mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$stage/sys"
            nsenter --net="$net" sh -c 'echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start'
            exec "$@" <>"$in" 1<>"$out"
            """;

    private static final Duration SOON = Duration.ofSeconds(30);

    static long firstId(int slot) {
        return FIRST_ID + slot * IDS;
    }

    static Path root(Path stage) {
        return stage.resolve("root");
    }

    static Path sysfs(Path stage) {
        return stage.resolve("sys");
    }

    @Override
    public List<String> run() {
        return List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "/bin/sh",
                "-c",
                STAGED,
                "sh",
                cell.in().toString(),
                cell.out().toString(),
                cell.errors().toString(),
                stage.toString(),
                template.toString(),
                cell.disk().toString(),
                Long.toString(firstId),
                Long.toString(IDS),
                namespace,
                MAPPED,
                "runc",
                "--root",
                cell.state().toString(),
                "run",
                "--detach",
                "--pid-file",
                cell.pidFile(),
                "--bundle",
                cell.bundle(),
                cell.id().value());
    }

    @Override
    public Command pause() {
        return plain("pause");
    }

    @Override
    public Command resume() {
        return plain("resume");
    }

    @Override
    public boolean is(String status) {
        Command state = plain("state");
        return !state.failed() && state.output().contains("\"status\": \"" + status + "\"");
    }

    private Command plain(String verb) {
        return Command.await(
                Command.start(
                        List.of(
                                "runc",
                                "--root",
                                cell.state().toString(),
                                verb,
                                cell.id().value())),
                SOON);
    }
}
