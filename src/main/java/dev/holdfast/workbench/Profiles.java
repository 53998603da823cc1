package dev.holdfast.workbench;

import dev.holdfast.problem.Problem;
import dev.holdfast.sandbox.AtTimeout;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The profiles there are: a few that are built in, and those of the installation. */
@ApplicationScoped
public class Profiles {

    /** So many are still looked through by a person. */
    private static final int MOST = 20;

    private static final List<Profile> BUILT_IN =
            List.of(
                    new Profile(
                            "standard",
                            "One hour. What it may reach is as the snapshot has it.",
                            Duration.ofHours(1),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(AtTimeout.KILL)),
                    new Profile(
                            "offline",
                            "One hour without the internet, for code that is not trusted.",
                            Duration.ofHours(1),
                            Optional.of(Duration.ofMinutes(30)),
                            Optional.of(false),
                            Optional.of(AtTimeout.KILL)),
                    new Profile(
                            "long",
                            "Eight hours, then it is paused and can be gone on with.",
                            Duration.ofHours(8),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(AtTimeout.PAUSE)));

    @Inject WorkbenchConfig config;

    private Map<String, Profile> profiles = Map.of();

    @PostConstruct
    void read() {
        profiles = read(config.profiles());
    }

    /** What a project can choose from, none with longer times than it allows. */
    public List<Profile> within(Duration longest) {
        return profiles.values().stream().map(each -> each.within(longest)).toList();
    }

    /**
     * @param name the first of the list if it is empty
     * @throws Problem {@code invalid_parameter}, naming those there are
     */
    public Profile named(Optional<String> name, Duration longest) {
        Profile found =
                name.map(profiles::get)
                        .or(() -> name.isEmpty() ? first() : Optional.empty())
                        .orElseThrow(() -> unknown(name.orElse("")));
        return found.within(longest);
    }

    private Optional<Profile> first() {
        return profiles.values().stream().findFirst();
    }

    private Problem unknown(String name) {
        return Problem.invalid(
                "profile",
                "There is no profile \""
                        + name
                        + "\". There are: "
                        + String.join(", ", profiles.keySet())
                        + ".");
    }

    /**
     * The built-in ones and then those of a text such as {@code training lifetime=PT8H idle=PT30M
     * internet=off timeout=pause; ...}; one that is called like another takes its place.
     *
     * @throws IllegalArgumentException for what cannot be read, so that the server does not start
     *     with less than its operator meant
     */
    static Map<String, Profile> read(String text) {
        Map<String, Profile> read = new LinkedHashMap<>();
        BUILT_IN.forEach(each -> read.put(each.name(), each));
        for (String one : text.split(";")) {
            if (!one.isBlank()) {
                Profile profile = profile(one.strip());
                read.put(profile.name(), profile);
            }
        }
        if (read.size() > MOST) {
            throw new IllegalArgumentException("There are at most " + MOST + " profiles");
        }
        return Collections.unmodifiableMap(read);
    }

    private static Profile profile(String text) {
        String[] words = text.split("\\s+");
        Map<String, String> members = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            String[] pair = words[i].split("=", 2);
            if (pair.length < 2 || members.put(pair[0], pair[1]) != null) {
                throw unreadable(words[0], words[i]);
            }
        }
        Profile profile =
                new Profile(
                        words[0],
                        "Of this installation.",
                        duration(words[0], members.remove("lifetime")).orElse(Duration.ofHours(1)),
                        duration(words[0], members.remove("idle")),
                        Optional.ofNullable(members.remove("internet"))
                                .map(word -> internet(words[0], word)),
                        Optional.ofNullable(members.remove("timeout"))
                                .map(word -> timeout(words[0], word)));
        members.keySet().stream()
                .findFirst()
                .ifPresent(
                        word -> {
                            throw unreadable(words[0], word);
                        });
        return profile;
    }

    private static Optional<Duration> duration(String name, String text) {
        try {
            return Optional.ofNullable(text).map(Duration::parse);
        } catch (DateTimeParseException e) {
            throw unreadable(name, text);
        }
    }

    private static boolean internet(String name, String word) {
        return switch (word) {
            case "on" -> true;
            case "off" -> false;
            default -> throw unreadable(name, word);
        };
    }

    private static AtTimeout timeout(String name, String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "end" -> AtTimeout.KILL;
            case "pause" -> AtTimeout.PAUSE;
            default -> throw unreadable(name, word);
        };
    }

    private static IllegalArgumentException unreadable(String name, String word) {
        return new IllegalArgumentException(
                "holdfast.workbench.profiles: profile "
                        + name
                        + " has \""
                        + word
                        + "\"; it may have lifetime=PT1H, idle=PT30M, internet=on or off,"
                        + " timeout=end or pause");
    }
}
