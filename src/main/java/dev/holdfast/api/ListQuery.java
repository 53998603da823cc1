package dev.holdfast.api;

import dev.holdfast.inventory.Listing;
import dev.holdfast.inventory.Order;
import dev.holdfast.inventory.Place;
import dev.holdfast.inventory.Sort;
import dev.holdfast.problem.Problem;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * The query of a list of snapshots. What it does not know is refused: a mistyped filter filters
 * nothing.
 */
record ListQuery(MultivaluedMap<String, String> parameters) {

    private static final String DIRECTION = "direction";
    private static final String EXPIRING_WITHIN = "expiringWithin";
    private static final String LABEL = "label";
    private static final String LIMIT = "limit";
    private static final String PAGE = "page";
    private static final String AFTER = "after";
    private static final String BEFORE = "before";
    private static final String RESTORABLE = "restorable";
    private static final String SORT = "sort";

    private static final Set<String> KNOWN =
            new TreeSet<>(
                    Set.of(
                            AFTER,
                            BEFORE,
                            "createdBy",
                            DIRECTION,
                            EXPIRING_WITHIN,
                            LABEL,
                            LIMIT,
                            "name",
                            PAGE,
                            RESTORABLE,
                            "search",
                            SORT,
                            "sourceSandboxId",
                            "status",
                            "tag",
                            "templateId",
                            "verdict"));

    private static final int MOST = 100;

    ListQuery {
        for (Map.Entry<String, List<String>> each : parameters.entrySet()) {
            String name = each.getKey();
            if (!KNOWN.contains(name)) {
                throw Problem.invalid(
                        name,
                        "This list takes " + String.join(", ", KNOWN) + ", and nothing else.");
            }
            if (each.getValue().size() > 1 && !name.equals(LABEL)) {
                throw Problem.invalid(name, "Give \"" + name + "\" once.");
            }
        }
    }

    SelectionRequest selection() {
        return new SelectionRequest(
                text("status").orElse(null),
                text("search").orElse(null),
                text("sourceSandboxId").orElse(null),
                text("templateId").orElse(null),
                text("createdBy").orElse(null),
                text(RESTORABLE).map(ListQuery::flag).orElse(null),
                text("verdict").orElse(null),
                text("name").orElse(null),
                text("tag").orElse(null),
                labels(),
                text(EXPIRING_WITHIN).map(ListQuery::seconds).orElse(null));
    }

    Order order() {
        Sort sort =
                text(SORT)
                        .map(
                                word ->
                                        Sort.of(word)
                                                .orElseThrow(
                                                        () ->
                                                                Problem.invalid(
                                                                        SORT,
                                                                        "\"sort\" is created, size,"
                                                                                + " expiry or name.")))
                        .orElse(Sort.CREATED);
        return new Order(
                sort, text(DIRECTION).map(ListQuery::downwards).orElse(sort.isDownwards()));
    }

    int limit() {
        return text(LIMIT).map(text -> number(LIMIT, text, MOST)).orElse(MOST);
    }

    OptionalInt page() {
        Optional<Integer> page =
                text(PAGE).map(text -> number(PAGE, text, Listing.COUNTED / limit()));
        if (page.isPresent() && (text(AFTER).isPresent() || text(BEFORE).isPresent())) {
            throw Problem.invalid(PAGE, "Give a page by number or by cursor, not both.");
        }
        return page.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    Listing place(Listing first) {
        Optional<Place> after = text(AFTER).map(token -> read(AFTER, token, first));
        Optional<Place> before = text(BEFORE).map(token -> read(BEFORE, token, first));
        if (after.isPresent() && before.isPresent()) {
            throw Problem.invalid(BEFORE, "Give either \"after\" or \"before\".");
        }
        return before.map(first::before).orElseGet(() -> first.after(after));
    }

    private static Place read(String parameter, String token, Listing list) {
        return Place.read(parameter, token, list.project(), list.selection(), list.order());
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>();
        for (String text : parameters.getOrDefault(LABEL, List.of())) {
            int equals = text.indexOf('=');
            String key = equals < 0 ? "" : text.substring(0, equals);
            if (key.isEmpty() || labels.put(key, text.substring(equals + 1)) != null) {
                throw Problem.invalid(LABEL, "\"label\" is key=value, each key once.");
            }
        }
        return labels;
    }

    private Optional<String> text(String name) {
        return Optional.ofNullable(parameters.getFirst(name)).filter(text -> !text.isEmpty());
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Problem.invalid(RESTORABLE, "\"restorable\" is true or false.");
        };
    }

    private static boolean downwards(String text) {
        return switch (text) {
            case "asc" -> false;
            case "desc" -> true;
            default -> throw Problem.invalid(DIRECTION, "\"direction\" is asc or desc.");
        };
    }

    private static long seconds(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private static int number(String parameter, String text, int most) {
        if (!text.matches("\\d{1,6}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > most) {
            throw Problem.invalid(
                    parameter,
                    "\""
                            + parameter
                            + "\" is a number from 1 to "
                            + most
                            + (parameter.equals(PAGE) ? "; further on a cursor leads." : "."));
        }
        return Integer.parseInt(text);
    }
}
