package dev.holdfast.agent;

import jakarta.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What runs in a sandbox and what is installed in it.
 *
 * @param processes all but the agent
 * @param environment the names in their environments
 * @param packages Debian's, name and architecture with the version
 */
public record GuestFacts(
        List<Process> processes,
        SortedSet<String> environment,
        SortedMap<String, String> packages) {

    private static final int MOST_PACKAGES = 100_000;
    private static final int MOST_NAMES = 100_000;

    /** A process by what it was started as. */
    public record Process(String command, long uid) {}

    static GuestFacts of(ProbeLines lines, int most) {
        List<Process> processes = new ArrayList<>();
        SortedSet<String> names = new TreeSet<>();
        SortedMap<String, String> packages = new TreeMap<>();
        boolean complete = false;
        for (var line = lines.next(); line.isPresent(); line = lines.next()) {
            if (!(line.get() instanceof JsonObject object)) {
                throw AgentException.reset("a fact that is none");
            }
            Members fact = new Members(object);
            if (fact.has("process")) {
                processes.add(new Process(fact.text("process"), fact.number("uid", -1)));
                names.addAll(fact.texts("env"));
            } else if (fact.has("package")) {
                packages.put(fact.text("package"), fact.text("version"));
            }
            complete |= fact.has("end");
            if (processes.size() > most
                    || packages.size() > MOST_PACKAGES
                    || names.size() > MOST_NAMES) {
                throw AgentException.reset("too many facts");
            }
        }
        if (!complete) {
            throw AgentException.reset("the facts have no end");
        }
        return new GuestFacts(List.copyOf(processes), names, packages);
    }

    /** The same, and nothing of what ran where no memory was kept. */
    public GuestFacts of(boolean memory) {
        return memory ? this : new GuestFacts(List.of(), new TreeSet<>(), packages);
    }
}
