package dev.holdfast.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The open streams of a channel, under its lock. Numbers are never used twice, so a late frame
 * meets nobody.
 */
final class Streams {

    private final Map<Integer, AgentStream> open = new HashMap<>();
    private int last;

    int nextNumber() {
        last = Math.addExact(last, 1);
        return last;
    }

    void add(AgentStream stream) {
        open.put(stream.number, stream);
    }

    AgentStream get(int number) {
        return open.get(number);
    }

    void remove(AgentStream stream) {
        open.remove(stream.number);
    }

    List<AgentStream> all() {
        return List.copyOf(open.values());
    }

    int size() {
        return open.size();
    }
}
