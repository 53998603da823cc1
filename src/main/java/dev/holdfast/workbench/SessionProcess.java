package dev.holdfast.workbench;

import dev.holdfast.agent.ProcessEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that runs in a session, as its agent tells of it.
 *
 * @param command with its arguments, as far as it is shown
 */
public record SessionProcess(long pid, String command, String user) {

    private static final int LONGEST = 500;

    static SessionProcess of(ProcessEntry entry) {
        List<String> words = new ArrayList<>();
        words.add(entry.command());
        words.addAll(entry.arguments());
        return new SessionProcess(
                entry.pid(), bounded(String.join(" ", words)), bounded(entry.user()));
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
