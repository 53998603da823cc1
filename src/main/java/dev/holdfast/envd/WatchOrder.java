package dev.holdfast.envd;

import dev.holdfast.agent.WatchEvents;
import dev.holdfast.agent.WatchStream;

/**
 * What a client wants to watch. Directories on network mounts need no permission here: whatever is
 * mounted into a sandbox is watched through its kernel, which sees what the sandbox itself does.
 *
 * @param entries whether events describe what they are about
 */
record WatchOrder(String path, boolean recursive, boolean entries) {

    static WatchOrder of(Message request) {
        request.truth("allowNetworkMounts", false);
        return new WatchOrder(
                request.text("path"),
                request.truth("recursive", false),
                request.truth("includeEntry", false));
    }

    WatchStream begin(Call call, WatchEvents events) {
        return call.agent().watch(path, call.user(), recursive, entries, events);
    }
}
