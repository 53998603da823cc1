package dev.holdfast.snapshot;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What may change of a snapshot after it was saved, and so is not in its manifest: how a row tells
 * it, empty where it is as the manifest has it, and how another row takes it.
 */
enum Fact {
    EXPIRES_AT(
            "expiresAt",
            row -> row.ownExpiry().map(moment -> Json.createValue(moment.toString())),
            (row, value) -> row.expireAt(Instant.parse(((JsonString) value).getString()))),
    NAME_HELD(
            "nameHeld",
            row -> row.hasGivenUpName() ? Optional.of(JsonValue.FALSE) : Optional.empty(),
            (row, value) -> row.giveUpName()),
    NOTE(
            "note",
            row -> row.note().map(Json::createValue),
            (row, value) ->
                    row.annotate(
                            new Annotation(
                                    Optional.of(
                                            Optional.of(
                                                    new Note(((JsonString) value).getString()))),
                                    Map.of()))),
    LABELS(
            "labels",
            row ->
                    Optional.of(row.labels())
                            .filter(labels -> !labels.equals(Labels.NONE))
                            .map(labels -> object(labels.values())),
            (row, value) -> row.label(new Labels(texts(value.asJsonObject())))),
    PIN(
            "pin",
            row -> row.pin().map(pin -> guard(pin.reason(), pin.by(), pin.at(), pin.end())),
            (row, value) -> {
                JsonObject pin = value.asJsonObject();
                row.pin(
                        new Pin(
                                text(pin, Member.REASON),
                                text(pin, Member.BY),
                                Instant.parse(text(pin, Member.AT)),
                                pin.containsKey(Member.UNTIL)
                                        ? Instant.parse(text(pin, Member.UNTIL))
                                        : null));
            }),
    HOLD(
            "hold",
            row ->
                    row.hold()
                            .map(
                                    hold ->
                                            guard(
                                                    hold.reason(),
                                                    hold.by(),
                                                    hold.at(),
                                                    Optional.of(hold.until()))),
            (row, value) -> {
                JsonObject hold = value.asJsonObject();
                row.hold(
                        new Hold(
                                text(hold, Member.REASON),
                                text(hold, Member.BY),
                                Instant.parse(text(hold, Member.AT)),
                                Instant.parse(text(hold, Member.UNTIL))));
            });

    private final String member;
    private final Function<Snapshot, Optional<? extends JsonValue>> tell;
    private final BiConsumer<Snapshot, JsonValue> take;

    Fact(
            String member,
            Function<Snapshot, Optional<? extends JsonValue>> tell,
            BiConsumer<Snapshot, JsonValue> take) {
        this.member = member;
        this.tell = tell;
        this.take = take;
    }

    /** All of them, as they are now. */
    static JsonObject of(Snapshot row) {
        JsonObjectBuilder facts = Json.createObjectBuilder();
        for (Fact fact : values()) {
            fact.tell.apply(row).ifPresent(value -> facts.add(fact.member, value));
        }
        return facts.build();
    }

    /**
     * Gives a row what these facts say. Those of a later build that are not known here are left.
     *
     * @throws DateTimeException or {@link ClassCastException} or {@link
     *     dev.holdfast.problem.Problem}: they say what no row can hold
     */
    static void onto(Snapshot row, JsonObject facts) {
        for (Fact fact : values()) {
            if (fact.isIn(facts)) {
                fact.take.accept(row, facts.get(fact.member));
            }
        }
    }

    private static JsonValue guard(String reason, String by, Instant at, Optional<Instant> until) {
        JsonObjectBuilder guard =
                Json.createObjectBuilder()
                        .add(Member.REASON, reason)
                        .add(Member.BY, by)
                        .add(Member.AT, at.toString());
        until.ifPresent(end -> guard.add(Member.UNTIL, end.toString()));
        return guard.build();
    }

    /** Of a pin and a hold; what is not there is no text either. */
    private static String text(JsonObject guard, String member) {
        return ((JsonString) guard.getOrDefault(member, JsonValue.NULL)).getString();
    }

    /** Not the enum's own: its constants are made before them. */
    private static final class Member {
        private static final String REASON = "reason";
        private static final String BY = "by";
        private static final String AT = "at";
        private static final String UNTIL = "until";

        private Member() {}
    }

    private static JsonValue object(Map<String, String> texts) {
        JsonObjectBuilder object = Json.createObjectBuilder();
        texts.forEach(object::add);
        return object.build();
    }

    private static Map<String, String> texts(JsonObject object) {
        Map<String, String> texts = new TreeMap<>();
        object.forEach((key, value) -> texts.put(key, ((JsonString) value).getString()));
        return texts;
    }

    boolean isIn(JsonObject facts) {
        return facts.containsKey(member);
    }
}
