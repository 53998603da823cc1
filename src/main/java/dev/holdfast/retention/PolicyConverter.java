package dev.holdfast.retention;

import dev.holdfast.problem.Problem;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import java.io.StringReader;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A policy as a JSON object that says only what is set; the same in the database and in the API.
 * Members that nobody knows are refused, or a mistyped one would let more go than was meant. The
 * column is {@code jsonb} and is written with a cast.
 */
@Converter
public class PolicyConverter implements AttributeConverter<Policy, String> {

    private static final String ZONE = "zone";
    private static final String RULES = "rules";
    private static final String NAME = "name";
    private static final String LABELS = "labels";
    private static final String PER = "per";
    private static final String LAST = "keepLast";
    private static final String MINIMUM = "minimumAgeSeconds";
    private static final String MAXIMUM = "maximumAgeSeconds";

    private static final Set<String> OF_POLICY = Set.of(ZONE, RULES);
    private static final Set<String> OF_RULE =
            Set.of(
                    NAME,
                    LABELS,
                    PER,
                    LAST,
                    Period.HOURLY.member(),
                    Period.DAILY.member(),
                    Period.WEEKLY.member(),
                    Period.MONTHLY.member(),
                    MINIMUM,
                    MAXIMUM);

    @Override
    public String convertToDatabaseColumn(Policy policy) {
        return policy == null ? null : json(policy).toString();
    }

    @Override
    public Policy convertToEntityAttribute(String column) {
        if (column == null) {
            return null;
        }
        try (var reader = Json.createReader(new StringReader(column))) {
            return policy(reader.readObject());
        }
    }

    public static JsonObject json(Policy policy) {
        JsonArrayBuilder rules = Json.createArrayBuilder();
        policy.rules().forEach(rule -> rules.add(json(rule)));
        return Json.createObjectBuilder()
                .add(ZONE, policy.zone().getId())
                .add(RULES, rules)
                .build();
    }

    private static JsonObjectBuilder json(Rule rule) {
        JsonObjectBuilder json = Json.createObjectBuilder();
        rule.name().ifPresent(pattern -> json.add(NAME, pattern.text()));
        if (!rule.labels().isEmpty()) {
            JsonObjectBuilder labels = Json.createObjectBuilder();
            rule.labels().forEach(labels::add);
            json.add(LABELS, labels);
        }
        rule.per().ifPresent(per -> json.add(PER, per.word()));
        rule.last().ifPresent(count -> json.add(LAST, count));
        rule.periods().forEach((period, count) -> json.add(period.member(), count));
        rule.minimumAge().ifPresent(age -> json.add(MINIMUM, age.toSeconds()));
        rule.maximumAge().ifPresent(age -> json.add(MAXIMUM, age.toSeconds()));
        return json;
    }

    /**
     * @throws Problem {@code invalid_parameter}, naming the member
     */
    public static Policy policy(JsonValue value) {
        JsonObject json = object("policy", value, OF_POLICY);
        List<Rule> rules = new ArrayList<>();
        JsonValue list = json.getOrDefault(RULES, JsonValue.EMPTY_JSON_ARRAY);
        if (list.getValueType() != JsonValue.ValueType.ARRAY
                || list.asJsonArray().size() > Policy.MOST_RULES) {
            throw Problem.invalid(
                    RULES, "\"rules\" is a list of at most " + Policy.MOST_RULES + " rules.");
        }
        list.asJsonArray().forEach(each -> rules.add(rule(each)));
        return new Policy(zone(text(json, ZONE).orElse("UTC")), rules);
    }

    private static Rule rule(JsonValue value) {
        JsonObject json = object("a rule", value, OF_RULE);
        Map<Period, Integer> periods = new EnumMap<>(Period.class);
        for (Period period : Period.values()) {
            count(json, period.member()).ifPresent(count -> periods.put(period, count));
        }
        return new Rule(
                text(json, NAME).map(NamePattern::new),
                labels(json),
                text(json, PER)
                        .map(
                                word ->
                                        Scope.of(word)
                                                .orElseThrow(
                                                        () ->
                                                                Problem.invalid(
                                                                        PER,
                                                                        "\"per\" is name, source or"
                                                                                + " project."))),
                count(json, LAST),
                periods,
                age(json, MINIMUM),
                age(json, MAXIMUM));
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw Problem.invalid(
                    ZONE, "\"zone\" is a time zone such as UTC, Europe/Berlin or +02:00.");
        }
    }

    private static Map<String, String> labels(JsonObject json) {
        Map<String, String> labels = new TreeMap<>();
        if (has(json, LABELS)) {
            if (json.get(LABELS).getValueType() != JsonValue.ValueType.OBJECT) {
                throw Problem.invalid(LABELS, "\"labels\" is an object of texts.");
            }
            for (Map.Entry<String, JsonValue> each : json.getJsonObject(LABELS).entrySet()) {
                if (!(each.getValue() instanceof JsonString text)) {
                    throw Problem.invalid(LABELS, "\"labels\" is an object of texts.");
                }
                labels.put(each.getKey(), text.getString());
            }
        }
        return labels;
    }

    private static Optional<String> text(JsonObject json, String name) {
        if (!has(json, name)) {
            return Optional.empty();
        }
        if (json.get(name) instanceof JsonString text) {
            return Optional.of(text.getString());
        }
        throw Problem.invalid(name, "\"" + name + "\" is a text.");
    }

    private static OptionalInt count(JsonObject json, String name) {
        Optional<Long> number = number(json, name);
        return number.isPresent()
                ? OptionalInt.of((int) Math.min(number.get(), Integer.MAX_VALUE))
                : OptionalInt.empty();
    }

    private static Optional<Duration> age(JsonObject json, String name) {
        return number(json, name).map(Duration::ofSeconds);
    }

    private static Optional<Long> number(JsonObject json, String name) {
        if (!has(json, name)) {
            return Optional.empty();
        }
        if (json.get(name) instanceof JsonNumber number
                && number.isIntegral()
                && number.bigIntegerValue().bitLength() < 32
                && number.longValue() > 0) {
            return Optional.of(number.longValue());
        }
        throw Problem.invalid(name, "\"" + name + "\" is a whole number of at least 1.");
    }

    private static boolean has(JsonObject json, String name) {
        return json.getOrDefault(name, JsonValue.NULL) != JsonValue.NULL;
    }

    private static JsonObject object(String what, JsonValue value, Set<String> known) {
        if (value == null || value.getValueType() != JsonValue.ValueType.OBJECT) {
            throw Problem.invalid(what, "\"" + what + "\" is a JSON object.");
        }
        JsonObject json = value.asJsonObject();
        json.keySet().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(
                        name -> {
                            throw Problem.invalid(
                                    name,
                                    "What is taken in "
                                            + what
                                            + " is "
                                            + String.join(", ", new TreeSet<>(known))
                                            + ".");
                        });
        return json;
    }
}
