package dev.holdfast.fleet;

/** What became of a worker's wish to go on. */
public enum Renewal {
    DONE,
    /** What it ran has been given up; it may begin anew, with nothing. */
    LOST,
    /** Another process has its name. */
    TAKEN
}
