package dev.holdfast.sandbox;

/** What became of a change of a sandbox's network. */
public sealed interface NetworkOutcome {

    /** It is in force, or a later change is. */
    record InForce() implements NetworkOutcome {}

    /** What was in force before still is. */
    record Failed(String why) implements NetworkOutcome {}
}
