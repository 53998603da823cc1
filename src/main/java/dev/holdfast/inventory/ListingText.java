package dev.holdfast.inventory;

import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Slug;
import dev.holdfast.database.ArrayText;
import dev.holdfast.database.StringMapConverter;
import dev.holdfast.snapshot.Kind;
import dev.holdfast.snapshot.SnapshotId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The statements of a list, with the values that are put in.
 *
 * @param values by the names of the statement's parameters
 */
record ListingText(String sql, Map<String, Object> values) {

    /** Few have volumes, so the others are told from them first. */
    private static final String MOUNTED = "s.parts_state = 'COMPLETE' and s.mounts <> '[]'";

    private static final String MOUNTABLE =
            " and (s.mounts = '[]' or mounts_lack(s.mounts, s.project_id) is null)";

    private static final String NAME = "' ' || s.short_name || ':' || s.tag";
    private static final String ALL =
            "s.id || ' ' || s.upload_id || coalesce(' ' || s.short_name || ':' || s.tag, '')";

    /** The first line is the condition of an index: few of very many are. */
    private static final String GUARDED =
            " and (s.pinned_at is not null or s.held_until is not null)"
                    + " and (s.pinned_at is not null and coalesce(s.pinned_until, 'infinity')"
                    + " > clock_timestamp() or s.held_until > clock_timestamp())";

    /** Of them there are no more than of sandboxes, so that they are looked up from there. */
    private static final String OCCUPIED =
            "select o.id from sandbox b cross join lateral"
                    + " (values (b.snapshot_id), (b.image_id)) o (id)"
                    + " where b.project_id = :project and b.state <> 'ENDED'";

    /** More of an ID names no fewer and costs a list of trigrams for each character. */
    private static final int TELLING = 12;

    /**
     * The rows of one shelf.
     *
     * @param few whether they are few beside the rest, and lie together in the order of expiries
     *     only
     */
    private record Range(String text, boolean few) {}

    private static final Pattern HEX = Pattern.compile("[0-9a-f-]+");

    /** The rows of a page and one more if there is one. */
    static ListingText page(Listing listing, Kinds kinds) {
        Order way = listing.way();
        Map<String, Object> values = new LinkedHashMap<>();
        listing.from()
                .ifPresent(
                        place -> {
                            values.put("key", place.key());
                            values.put("after", place.id().toString());
                        });
        List<Range> ranges =
                ranges(listing.project(), listing.slug(), listing.selection(), kinds, values);
        String beyond =
                (listing.from().isPresent() ? way.beyond() : "")
                        + (way.sort() == Sort.NAME && findsNamedOnly(listing)
                                // Else all that have none are read first, downwards.
                                ? " and s.list_name < '~'"
                                : "");
        int most = listing.limit() + 1;
        // Each range gives as many as the page could need of it, in order.
        String some = way.text() + " limit " + (listing.skip() + most);
        String rows =
                union(
                        "s.*",
                        ranges.stream()
                                .map(
                                        range ->
                                                range.few() && way.sort() != Sort.EXPIRY
                                                        ? apart(range.text() + beyond, some, way)
                                                        : range.text() + beyond + some)
                                .toList());
        return new ListingText(
                rows
                        + way.text()
                        + " limit "
                        + most
                        + (listing.skip() > 0 ? " offset " + listing.skip() : ""),
                values);
    }

    /**
     * What ends soon or has ended was mostly made at one time, so that the index of another order
     * would be read past all the rest. Instead all of it is read from the index of expiries, which
     * has the other keys beside it, and the first of it are looked up.
     */
    private static String apart(String range, String some, Order way) {
        String columns = "select s.id, " + way.sort().key();
        return "s.id in (select p.id from ("
                + columns
                + " from ("
                + columns
                + " from snapshot s where "
                + range
                + " offset 0) s"
                + some
                + ") p)";
    }

    private static boolean findsNamedOnly(Listing listing) {
        Selection selection = listing.selection();
        if (selection.shortName().isPresent() || selection.tag().isPresent()) {
            return true;
        }
        return selection
                .sought(listing.slug())
                .flatMap(part -> part)
                .filter(part -> !HEX.matcher(part).matches())
                .isPresent();
    }

    /** How many there are and how many bytes they take, of the first so many. */
    static ListingText sums(
            ProjectId project, Optional<Slug> slug, Selection selection, Kinds kinds, int most) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<Range> ranges = ranges(project, slug, selection, kinds, values);
        return new ListingText(
                "select count(*), coalesce(sum(s.list_size), 0) from "
                        + first(ranges, "", "s.list_size", most),
                values);
    }

    /** How many of them are pinned or held, from an index that has only such rows. */
    static ListingText guarded(
            ProjectId project, Optional<Slug> slug, Selection selection, Kinds kinds, int most) {
        Map<String, Object> values = new LinkedHashMap<>();
        List<Range> ranges = ranges(project, slug, selection, kinds, values);
        return new ListingText(
                "select count(*) from " + first(ranges, GUARDED, "s.id", most), values);
    }

    /** The first so many of those that are also something, without reading any more of them. */
    private static String first(List<Range> ranges, String also, String column, int most) {
        List<String> bounded =
                ranges.stream().map(range -> range.text() + also + " limit " + most).toList();
        return "(" + union(column, bounded) + " limit " + most + ") s";
    }

    private static String union(String columns, List<String> ranges) {
        return ranges.isEmpty()
                ? "select " + columns + " from snapshot s where false"
                : ranges.stream()
                        .map(
                                range ->
                                        "(select "
                                                + columns
                                                + " from snapshot s where "
                                                + range
                                                + ")")
                        .collect(Collectors.joining(" union all ", "select * from (", ") s"));
    }

    private static List<Range> ranges(
            ProjectId project,
            Optional<Slug> slug,
            Selection selection,
            Kinds kinds,
            Map<String, Object> values) {
        values.put("project", project.value());
        StringBuilder filters = new StringBuilder();
        if (!selection.ids().isEmpty()) {
            // By itself it would be read anew for each row that it is compared with.
            filters.append(" and s.id = any (cast((select cast(:ids as uuid[])) as uuid[]))");
            values.put("ids", ArrayText.of(selection.ids()));
        }
        if (selection.occupied()) {
            filters.append(" and s.id in (").append(OCCUPIED).append(')');
        }
        selection
                .source()
                .ifPresent(
                        source ->
                                filter(
                                        filters,
                                        values,
                                        "s.source_sandbox_id",
                                        "source",
                                        source.value()));
        selection
                .template()
                .ifPresent(id -> filter(filters, values, "s.template_id", "template", id));
        selection
                .creator()
                .ifPresent(who -> filter(filters, values, "s.created_by", "creator", who));
        selection
                .shortName()
                .ifPresent(name -> filter(filters, values, "s.short_name", "shortName", name));
        selection.tag().ifPresent(tag -> filter(filters, values, "s.tag", "tag", tag));
        selection
                .until()
                .ifPresent(
                        moment -> {
                            filters.append(" and s.created_at <= cast(:until as timestamptz)");
                            values.put("until", moment.toString());
                        });
        if (!selection.labels().isEmpty()) {
            filters.append(" and s.labels @> cast(:labels as jsonb)");
            values.put(
                    "labels", new StringMapConverter().convertToDatabaseColumn(selection.labels()));
        }
        selection
                .sought(slug)
                .ifPresent(
                        part ->
                                part.ifPresentOrElse(
                                        text -> search(filters, values, text),
                                        () -> filters.append(" and false")));
        List<Range> ranges = new ArrayList<>();
        for (Shelf shelf : shelves(selection)) {
            within(shelf, selection, kinds, values)
                    .map(
                            own ->
                                    new Range(
                                            "s.project_id = :project and s.kind in "
                                                    + Kind.LISTED
                                                    + " and "
                                                    + shelf.condition()
                                                    + filters
                                                    + own,
                                            shelf == Shelf.EXPIRED
                                                    || selection.expiringWithin().isPresent()))
                    .ifPresent(ranges::add);
        }
        return ranges;
    }

    /** What is asked of the saved ones, expired or not, is asked of both at once if it can be. */
    private static Set<Shelf> shelves(Selection selection) {
        Set<Shelf> shelves = selection.status().shelves();
        boolean alike =
                selection.restorability().isEmpty()
                        && selection.expiringWithin().isEmpty()
                        && selection.shortName().isEmpty()
                        && selection.tag().isEmpty();
        if (alike && shelves.containsAll(Shelf.SAVED.parts())) {
            shelves.removeAll(Shelf.SAVED.parts());
            shelves.add(Shelf.SAVED);
        }
        return shelves;
    }

    private static void filter(
            StringBuilder filters,
            Map<String, Object> values,
            String column,
            String parameter,
            Object value) {
        filters.append(" and ").append(column).append(" = :").append(parameter);
        values.put(parameter, value);
    }

    private static void search(StringBuilder filters, Map<String, Object> values, String text) {
        Optional<SnapshotId> whole = SnapshotId.parse(text);
        if (whole.isPresent()) {
            filters.append(" and (s.id = :whole or s.upload_id = :whole)");
            values.put("whole", whole.get().value());
            return;
        }
        // The plan is made for the first condition. The second one says nothing about how rare it
        // is.
        filters.append(" and s.search like :encoded and strpos(")
                .append(text.startsWith(" ") ? NAME : ALL)
                .append(", :sought) > 0");
        String part =
                text.length() > TELLING && HEX.matcher(text).matches()
                        ? text.substring(0, TELLING)
                        : text;
        values.put("encoded", "%" + Search.encoded(part) + "%");
        values.put("sought", text);
    }

    /** What a selection asks of one shelf besides; empty when nothing of it can be meant. */
    private static Optional<String> within(
            Shelf shelf, Selection selection, Kinds kinds, Map<String, Object> values) {
        boolean live = shelf == Shelf.LIVE;
        StringBuilder own = new StringBuilder();
        if (live && (selection.shortName().isPresent() || selection.tag().isPresent())) {
            own.append(" and s.name_held");
        }
        if (selection.expiringWithin().isPresent()) {
            if (!live) {
                return Optional.empty();
            }
            own.append(" and ")
                    .append(Sort.EXPIRY.key())
                    .append(" <= statement_timestamp() + make_interval(secs => :within)");
            values.put("within", (double) selection.expiringWithin().orElseThrow().toSeconds());
        }
        Set<Restorability> wanted = selection.restorability();
        if (wanted.isEmpty()) {
            return Optional.of(own.toString());
        }
        if (!live) {
            Restorability answer =
                    shelf == Shelf.EXPIRED ? Restorability.EXPIRED : Restorability.NOT_SAVED;
            return wanted.contains(answer) ? Optional.of(own.toString()) : Optional.empty();
        }
        return verdict(wanted, kinds, values).map(condition -> own + " and " + condition);
    }

    private static Optional<String> verdict(
            Set<Restorability> wanted, Kinds kinds, Map<String, Object> values) {
        List<String> parts = new ArrayList<>();
        Set<Restorability> yes = EnumSet.noneOf(Restorability.class);
        for (Restorability each : wanted) {
            switch (each) {
                case RESTORABLE, RESTORE_FAILED -> yes.add(each);
                case MISSING_PART -> parts.add("s.parts_state = 'MISSING'");
                case CORRUPT_PART -> parts.add("s.parts_state = 'CORRUPT'");
                case VOLUME_DELETED, VOLUME_ELSEWHERE ->
                        parts.add(
                                MOUNTED
                                        + " and mounts_lack(s.mounts, s.project_id) = '"
                                        + each.name()
                                        + "'");
                case INCOMPATIBLE_RUNTIME, NO_WORKER ->
                        needing(kinds.of(each), each.word(), values).ifPresent(parts::add);
                case EXPIRED, NOT_SAVED -> {
                    // never on this shelf
                }
            }
        }
        if (!yes.isEmpty()) {
            needing(kinds.of(Restorability.RESTORABLE), "able", values)
                    .map(able -> able + MOUNTABLE)
                    .map(
                            able ->
                                    yes.size() == 2
                                            ? able
                                            : able
                                                    + " and s.restore_failure is "
                                                    + (yes.contains(Restorability.RESTORABLE)
                                                            ? "null"
                                                            : "not null"))
                    .ifPresent(parts::add);
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("((" + String.join(") or (", parts) + "))");
    }

    private static Optional<String> needing(
            List<String> needs, String parameter, Map<String, Object> values) {
        if (needs.isEmpty()) {
            return Optional.empty();
        }
        // Each a constant of the plan, so that they are hashed: they are compared with every row.
        values.put(parameter, needs);
        return Optional.of("s.parts_state = 'COMPLETE' and s.needs in (:" + parameter + ")");
    }
}
