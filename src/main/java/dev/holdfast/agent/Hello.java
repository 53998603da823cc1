package dev.holdfast.agent;

/**
 * What the agent says of itself when a channel is connected. Nothing in it is more than a claim.
 */
public record Hello(int version, long pid, String kernel, String sandbox, long processes) {

    static Hello of(Members members) {
        return new Hello(
                (int) members.number("version", 0),
                members.number("pid", 0),
                members.text("kernel"),
                members.text("sandbox"),
                members.number("processes", 0));
    }
}
