package dev.holdfast.contents;

import dev.holdfast.agent.GuestFacts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What runs and is installed here and was not there, or the reverse. */
final class FactsMerge {

    private static final int MOST = 1000;
    private static final int LONGEST = 1024;

    private FactsMerge() {}

    /** Each process as often as it runs. */
    static Summary.Names processes(GuestFacts before, GuestFacts after) {
        Map<String, Integer> balance = new TreeMap<>();
        after.processes().forEach(each -> balance.merge(words(each), 1, Integer::sum));
        before.processes().forEach(each -> balance.merge(words(each), -1, Integer::sum));
        List<String> added = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        balance.forEach(
                (words, count) -> {
                    for (int i = 0; i < Math.abs(count); i++) {
                        (count > 0 ? added : removed).add(words);
                    }
                });
        return names(added, removed);
    }

    static Summary.Names names(Collection<String> before, Collection<String> after) {
        var added = new TreeSet<>(after);
        added.removeAll(before);
        var removed = new TreeSet<>(before);
        removed.removeAll(after);
        return names(List.copyOf(added), List.copyOf(removed));
    }

    static Summary.Packages packages(
            SortedMap<String, String> before, SortedMap<String, String> after) {
        var all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        List<Summary.Package> changes =
                all.stream()
                        .map(name -> new Summary.Package(name, before.get(name), after.get(name)))
                        .filter(
                                each ->
                                        each.before() == null
                                                || !each.before().equals(each.after()))
                        .toList();
        return new Summary.Packages(changes.stream().limit(MOST).toList(), changes.size());
    }

    private static Summary.Names names(List<String> added, List<String> removed) {
        return new Summary.Names(
                added.stream().limit(MOST).toList(),
                removed.stream().limit(MOST).toList(),
                added.size(),
                removed.size());
    }

    private static String words(GuestFacts.Process process) {
        String command = process.command();
        return process.uid()
                + " "
                + (command.length() > LONGEST ? command.substring(0, LONGEST) : command);
    }
}
