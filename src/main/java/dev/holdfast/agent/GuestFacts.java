package dev.holdfast.agent;

import jakarta.json.JsonObject;
import jakarta.json.JsonStructure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

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
    private static final int MOST_NAMES_OF_ONE = 1000;
    private static final int LONGEST_COMMAND = 1024;
    private static final int LONGEST_NAME = 256;

    /** Of all that is kept together: so many counts of so long words are more than may be held. */
    private static final int MOST_CHARACTERS = 16 * 1024 * 1024;

    /** A process by what it was started as. */
    public record Process(String command, long uid) {}

    static GuestFacts of(Supplier<Optional<JsonStructure>> lines, int most) {
        List<Process> processes = new ArrayList<>();
        SortedSet<String> names = new TreeSet<>();
        SortedMap<String, String> packages = new TreeMap<>();
        boolean complete = false;
        long held = 0;
        for (var line = lines.get(); line.isPresent(); line = lines.get()) {
            if (!(line.get() instanceof JsonObject object)) {
                throw AgentException.reset("a fact that is none");
            }
            Members fact = new Members(object);
            if (fact.has("process")) {
                String command = cut(fact.text("process"), LONGEST_COMMAND);
                processes.add(new Process(command, fact.number("uid", -1)));
                held += command.length() + noted(names, fact.texts("env"));
            } else if (fact.has("package")) {
                String name = cut(fact.text("package"), LONGEST_NAME);
                String version = cut(fact.text("version"), LONGEST_NAME);
                packages.put(name, version);
                held += name.length() + version.length();
            }
            complete |= fact.has("end");
            if (processes.size() > most
                    || packages.size() > MOST_PACKAGES
                    || names.size() > MOST_NAMES
                    || held > MOST_CHARACTERS) {
                throw AgentException.reset("too many facts");
            }
        }
        if (!complete) {
            throw AgentException.reset("the facts have no end");
        }
        return new GuestFacts(List.copyOf(processes), names, packages);
    }

    /** How many characters came to what is held. */
    private static long noted(SortedSet<String> names, List<String> more) {
        return more.stream()
                .limit(MOST_NAMES_OF_ONE)
                .map(name -> cut(name, LONGEST_NAME))
                .filter(names::add)
                .mapToLong(String::length)
                .sum();
    }

    /** The program in the sandbox cuts them too, but it need not be ours any more. */
    private static String cut(String text, int longest) {
        return text.length() > longest ? text.substring(0, longest) : text;
    }

    /** The same, and nothing of what ran where no memory was kept. */
    public GuestFacts of(boolean memory) {
        return memory ? this : new GuestFacts(List.of(), new TreeSet<>(), packages);
    }
}
