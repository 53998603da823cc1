package dev.holdfast.agent;

/** How a process ended: with an exit code, or by a signal when that is not 0. */
public record ProcessEnd(int exitCode, int signal) {

    static ProcessEnd of(Members members) {
        return new ProcessEnd(
                (int) Math.max(0, Math.min(255, members.number("exitCode", 0))),
                (int) Math.max(0, Math.min(64, members.number("signal", 0))));
    }

    public boolean killed() {
        return signal != 0;
    }
}
