package dev.holdfast.api;

import dev.holdfast.retention.NamePattern;
import dev.holdfast.retention.Period;
import dev.holdfast.retention.Rule;
import dev.holdfast.retention.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What is kept of some snapshots; the first rule that is about a snapshot decides. */
@Schema(name = "RetentionRule")
public record RetentionRuleView(
        @Schema(
                        description =
                                "Only those with such a name: short or short:tag, * for any"
                                        + " characters and ? for one")
                String name,
        @Schema(description = "Only those with all of these", maxProperties = Rule.MOST_LABELS)
                Map<String, String> labels,
        @Schema(
                        enumeration = {"name", "source", "project"},
                        description =
                                "Over what is counted: a short name with all its tags, a source"
                                        + " sandbox, all; given if anything is counted")
                String per,
        @Schema(minimum = "1", maximum = "10000", description = "How many of the newest are kept")
                Integer keepLast,
        @Schema(
                        minimum = "1",
                        maximum = "10000",
                        description = "The newest of each of so many hours that have any")
                Integer keepHourly,
        @Schema(minimum = "1", maximum = "10000", description = "The same of days")
                Integer keepDaily,
        @Schema(minimum = "1", maximum = "10000", description = "The same of weeks from Monday")
                Integer keepWeekly,
        @Schema(minimum = "1", maximum = "10000", description = "The same of months")
                Integer keepMonthly,
        @Schema(minimum = "1", maximum = "315360000", description = "What is younger is kept")
                Long minimumAgeSeconds,
        @Schema(
                        minimum = "1",
                        maximum = "315360000",
                        description = "What is as old or older goes, whatever would keep it")
                Long maximumAgeSeconds) {

    static RetentionRuleView of(Rule rule) {
        OptionalInt last = rule.last();
        return new RetentionRuleView(
                rule.name().map(NamePattern::text).orElse(null),
                rule.labels().isEmpty() ? null : rule.labels(),
                rule.per().map(Scope::word).orElse(null),
                last.isPresent() ? last.getAsInt() : null,
                rule.periods().get(Period.HOURLY),
                rule.periods().get(Period.DAILY),
                rule.periods().get(Period.WEEKLY),
                rule.periods().get(Period.MONTHLY),
                rule.minimumAge().map(Duration::toSeconds).orElse(null),
                rule.maximumAge().map(Duration::toSeconds).orElse(null));
    }
}
