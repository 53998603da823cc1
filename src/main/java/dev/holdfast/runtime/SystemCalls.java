package dev.holdfast.runtime;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.util.List;

/**
 * What a machine of the first generation may ask of the host's kernel. Everything else is refused:
 * above all mounts, namespaces, keys, BPF, tracing, modules, clocks, performance counters and
 * io_uring. A kernel ignores the names that its processor does not have.
 */
final class SystemCalls {
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final int EPROTONOSUPPORT = 93;

    /** Flags of clone that make namespaces: all of CLONE_NEW* but the one for time. */
    private static final long NEW_NAMESPACES = 0x7E020000L;

    /** Unix and internet sockets; others have a history of holes in the kernel. */
    private static final List<Integer> FAMILIES = List.of(1, 2, 10);

    /** Of its many protocols only the first, routing: programs list their links and routes. */
    private static final int NETLINK = 16;

    /** Linux, and Linux with addresses that are not random, as debuggers ask for. */
    private static final List<Long> PERSONALITIES = List.of(0x0L, 0x40000L, 0xFFFFFFFFL);

    private static final String ALLOWED =
            """
            accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod
            chown chroot clock_getres clock_gettime clock_nanosleep close close_range
            connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1
            epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old
            eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2
            fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl
            fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat
            fstatfs fsync ftruncate futex futex_requeue futex_wait futex_waitv
            futex_wake futimesat get_robust_list get_thread_area getcpu getcwd getdents
            getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid
            getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit
            getrusage getsid getsockname getsockopt gettid gettimeofday getuid getxattr
            inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl ioprio_get
            ioprio_set kill landlock_add_rule landlock_create_ruleset
            landlock_restrict_self lchown lgetxattr link linkat listen listxattr
            llistxattr lremovexattr lseek lsetxattr lstat madvise map_shadow_stack
            membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock mlock2
            mlockall mmap mprotect mq_getsetattr mq_notify mq_open mq_timedreceive
            mq_timedsend mq_unlink mremap mseal msgctl msgget msgrcv msgsnd msync
            munlock munlockall munmap nanosleep newfstatat open openat openat2 pause
            pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect
            poll ppoll prctl pread64 preadv preadv2 prlimit64 pselect6 pwrite64 pwritev
            pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg
            remap_file_pages removexattr rename renameat renameat2 restart_syscall rmdir
            rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn
            rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max
            sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
            sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr
            sched_setparam sched_setscheduler sched_yield seccomp select semctl semget
            semop semtimedop sendfile sendmmsg sendmsg sendto set_robust_list
            set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer
            setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid
            setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown sigaltstack
            signalfd signalfd4 socketpair splice stat statfs statx symlink symlinkat
            sync sync_file_range syncfs sysinfo tee tgkill time timer_create
            timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create
            timerfd_gettime timerfd_settime times tkill truncate umask uname unlink
            unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write writev
            """;

    private SystemCalls() {}

    /**
     * @param processor as Java calls it
     */
    static JsonObjectBuilder json(String processor) {
        JsonArrayBuilder rules =
                Json.createArrayBuilder()
                        .add(rule("SCMP_ACT_ALLOW", ALLOWED.strip().split("\\s+")))
                        .add(
                                rule("SCMP_ACT_ALLOW", "clone")
                                        .add(
                                                "args",
                                                Json.createArrayBuilder()
                                                        .add(
                                                                argument(
                                                                                "SCMP_CMP_MASKED_EQ",
                                                                                NEW_NAMESPACES)
                                                                        .add("valueTwo", 0))))
                        // Its flags lie in memory, where no filter looks: programs then use clone.
                        .add(rule("SCMP_ACT_ERRNO", "clone3").add("errnoRet", ENOSYS));
        FAMILIES.forEach(family -> rules.add(only("socket", family)));
        PERSONALITIES.forEach(personality -> rules.add(only("personality", personality)));
        rules.add(netlink(rule("SCMP_ACT_ALLOW", "socket"), "SCMP_CMP_EQ"));
        rules.add(
                netlink(
                        rule("SCMP_ACT_ERRNO", "socket").add("errnoRet", EPROTONOSUPPORT),
                        "SCMP_CMP_NE"));
        return Json.createObjectBuilder()
                .add("defaultAction", "SCMP_ACT_ERRNO")
                .add("defaultErrnoRet", EPERM)
                .add(
                        "architectures",
                        Json.createArrayBuilder()
                                .add(
                                        processor.equals("aarch64")
                                                ? "SCMP_ARCH_AARCH64"
                                                : "SCMP_ARCH_X86_64"))
                .add("syscalls", rules);
    }

    private static JsonObjectBuilder only(String name, long value) {
        return rule("SCMP_ACT_ALLOW", name)
                .add("args", Json.createArrayBuilder().add(argument("SCMP_CMP_EQ", value)));
    }

    private static JsonObjectBuilder netlink(JsonObjectBuilder rule, String routing) {
        return rule.add(
                "args",
                Json.createArrayBuilder()
                        .add(argument("SCMP_CMP_EQ", NETLINK))
                        .add(argument(routing, 0).add("index", 2)));
    }

    private static JsonObjectBuilder rule(String action, String... names) {
        return Json.createObjectBuilder()
                .add("names", Bundle.strings(List.of(names)))
                .add("action", action);
    }

    private static JsonObjectBuilder argument(String operation, long value) {
        return Json.createObjectBuilder().add("index", 0).add("value", value).add("op", operation);
    }
}
