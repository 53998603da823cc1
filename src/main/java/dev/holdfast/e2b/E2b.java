package dev.holdfast.e2b;

/** Fixed words of the protocol. */
final class E2b {

    /** What the hosted service sends; old clients append it to sandbox IDs. */
    static final String CLIENT_ID = "6532622b";

    /** The version of the data plane whose features ours has. */
    static final String ENVD_VERSION = "0.6.13";

    static final String NEXT_TOKEN = "X-Next-Token";
    static final String TOTAL_RUNNING = "X-Total-Running";

    private E2b() {}
}
