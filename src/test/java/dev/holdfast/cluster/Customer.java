package dev.holdfast.cluster;

import java.util.Map;
import java.util.concurrent.Callable;

/** Somebody who works with one sandbox all the time, saves it and makes others from that. */
interface Customer extends Callable<Void> {

    String name();

    /** What was answered 201 and not deleted since, with what it holds. */
    Map<String, String> saved();

    /** Its sandbox went through everything. */
    void assertLives() throws Exception;

    void end();
}
