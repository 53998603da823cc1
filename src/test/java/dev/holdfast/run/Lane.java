package dev.holdfast.run;

/**
 * One of the processes that share out the integration tests, each a class at a time and on a shared
 * server of its own, because a test waits as long as it works. What no two of them can have at once
 * carries their number.
 */
final class Lane {

    /** From the ports of one to those of the next; servers beside the shared one lie between. */
    private static final int APART = 1_000;

    private static final int NUMBER =
            Integer.parseInt(System.getProperty("holdfast.test.lane", "lane-1").substring(5));

    private Lane() {}

    /** A name for what is this lane's alone; the first has the plain one. */
    static String own(String name) {
        return NUMBER == 1 ? name : name + "-" + NUMBER;
    }

    /**
     * A port of this lane's shared server.
     *
     * @param name http, https, management or db
     */
    static int port(String name) {
        return Integer.parseInt(property("holdfast.test." + name + ".port")) + (NUMBER - 1) * APART;
    }

    /** Where everything of this lane's shared server lies, and beside it that of others. */
    static String home() {
        return own(property("holdfast.test.home"));
    }

    static String property(String name) {
        var value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException(
                    name + " is not set; integration tests run by mvn verify");
        }
        return value;
    }
}
