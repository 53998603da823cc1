package dev.holdfast.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.problem.Problem;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What policies keep; now is noon of Wednesday, 11 March 2026. */
@Tag("F20")
class PolicyTest {

    @ParameterizedTest(name = "{0}: of {1} keeps {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                // nothing is asked
                "         | a 03-11T10:00 ; b 2020-01-01T00:00                       | ab",
                "all      | a 03-11T10:00 ; b 2020-01-01T00:00                       | ab",
                "zone=UTC | a 03-11T10:00                                            | a",
                // the last ones
                "per=project last=1 | a 03-11T10:00                                  | a",
                "per=project last=1 | a 03-11T10:00 ; b 03-11T09:00                  | a",
                "per=project last=2 | a 03-10T10:00 ; b 03-11T09:00 ; c 03-09T01:00  | ba",
                "per=project last=3 | a 03-11T10:00 ; b 03-11T09:00                  | ab",
                "per=project last=10000 | a 2016-01-01T00:00                         | a",
                // two of one moment are two
                "per=project last=1 | a 03-11T10:00 ; b 03-11T10:00                  | a",
                // one that a clock has made in the future
                "per=project last=1 | a 03-12T10:00 ; b 03-11T10:00                  | a",
                // per source
                "per=source last=1 | a 03-11T10:00 ; b 03-11T09:00 from=t            | ab",
                "per=source last=1 | a 03-11T10:00 ; b 03-11T09:00 from=t ; c 03-10T09:00 from=t | ab",
                "per=source last=2 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-11T08:00 ; d 01-01T00:00 from=t | abd",
                // per name, over its tags and sources; unnamed ones are not counted so
                "per=name last=1 | a 03-11T10:00 x:v2 ; b 03-11T09:00 x:v1           | a",
                "per=name last=1 | a 03-11T10:00 x ; b 03-11T09:00 y                 | ab",
                "per=name last=1 | a 03-11T10:00 x:v2 from=t ; b 03-11T09:00 x:v1    | a",
                "per=name last=1 | a 03-11T10:00 ; b 03-10T10:00 ; c 03-09T10:00     | abc",
                "per=name last=1 | a 03-11T10:00 ; b 03-10T10:00 x:v2 ; c 03-09T10:00 x:v1 | ab",
                "per=name last=1 / per=source last=1 | a 03-11T10:00 ; b 03-10T10:00 ; c 03-09T10:00 x:v2 ; d 03-08T10:00 x | ac",
                // hours
                "per=project hourly=1 | a 03-11T10:59 ; b 03-11T10:00                | a",
                "per=project hourly=1 | a 03-11T10:59 ; b 03-11T09:59                | a",
                "per=project hourly=2 | a 03-11T10:59 ; b 03-11T10:01 ; c 03-11T09:59 ; d 03-11T09:00 | ac",
                // hours without any are not counted
                "per=project hourly=2 | a 03-11T10:59 ; b 03-01T10:01                | ab",
                "per=project hourly=3 | a 03-11T00:00 ; b 03-10T23:59 ; c 03-10T23:00 ; d 03-10T22:59 | abd",
                // days
                "per=project daily=1 | a 03-11T10:00 ; b 03-11T00:00 ; c 03-10T23:59 | a",
                "per=project daily=2 | a 03-11T10:00 ; b 03-11T00:00 ; c 03-10T23:59 | ac",
                "per=project daily=2 | a 03-11T10:00 ; b 03-01T09:00 ; c 02-01T10:00 | ab",
                "per=project daily=7 | a 03-01T10:00 ; b 02-28T09:00 ; c 02-28T08:00 | ab",
                "per=source daily=1 | a 03-11T10:00 ; b 03-11T09:00 from=t ; c 03-10T10:00 ; d 03-10T09:00 from=t | ab",
                // the day of the zone: 23:30 in UTC is the next day in Berlin
                "zone=Europe/Berlin per=project daily=2 | a 03-11T10:00 ; b 03-10T23:30 ; c 03-10T22:30 | ac",
                "zone=UTC per=project daily=2 | a 03-11T10:00 ; b 03-10T23:30 ; c 03-10T22:30 | ab",
                "zone=America/New_York per=project daily=3 | a 03-11T10:00 ; b 03-11T03:30 ; c 03-11T04:30 ; d 03-10T03:59 | abd",
                "zone=+05:30 per=project hourly=2 | a 03-11T10:40 ; b 03-11T10:31 ; c 03-11T10:29 | ac",
                // clocks forward in Berlin, 29 March 2026, and back, 26 October 2025
                "zone=Europe/Berlin per=project hourly=3 | a 03-29T01:30 ; b 03-29T00:30 ; c 03-28T23:30 | abc",
                "zone=Europe/Berlin per=project hourly=3 | a 2025-10-26T01:30 ; b 2025-10-26T00:30 ; c 2025-10-25T23:30 | abc",
                "zone=Europe/Berlin per=project daily=2 | a 2025-10-26T22:59 ; b 2025-10-25T22:00 ; c 2025-10-25T21:59 | ac",
                // weeks begin on Monday, 9 March, also over the turn of the year
                "per=project weekly=1 | a 03-11T10:00 ; b 03-09T00:00 ; c 03-08T23:59 | a",
                "per=project weekly=2 | a 03-11T10:00 ; b 03-09T00:00 ; c 03-08T23:59 ; d 03-02T00:00 | ac",
                "per=project weekly=3 | a 03-11T10:00 ; b 03-04T10:00 ; c 02-25T10:00 ; d 02-18T10:00 | abc",
                "per=project weekly=2 | a 01-04T10:00 ; b 2025-12-29T00:00 ; c 2025-12-28T23:59 | ac",
                "per=project weekly=2 | a 2021-01-03T10:00 ; b 2020-12-28T00:00 ; c 2020-12-27T00:00 | ac",
                // months
                "per=project monthly=1 | a 03-11T10:00 ; b 03-01T00:00 ; c 02-28T23:59 | a",
                "per=project monthly=2 | a 03-11T10:00 ; b 03-01T00:00 ; c 02-28T23:59 | ac",
                "per=project monthly=12 | a 2028-03-01T00:00 ; b 2028-02-29T12:00 ; c 2028-02-01T00:00 ; d 2027-02-28T00:00 | abd",
                "zone=Asia/Tokyo per=project monthly=2 | a 03-11T10:00 ; b 02-28T15:30 ; c 02-28T14:30 | ac",
                // each figure is counted by itself, and what one keeps is kept
                "per=project last=1 daily=1 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-10T09:00 | a",
                "per=project last=2 daily=1 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-10T09:00 | ab",
                "per=project last=1 daily=2 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-10T09:00 ; d 03-10T08:00 | ac",
                "per=project daily=2 weekly=2 | a 03-11T10:00 ; b 03-10T09:00 ; c 03-09T09:00 ; d 03-08T08:00 ; e 03-07T08:00 | abd",
                "per=project hourly=1 daily=1 weekly=1 monthly=1 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-10T09:00 ; d 02-10T09:00 | a",
                "per=project hourly=2 daily=2 weekly=2 monthly=2 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-10T09:00 ; d 03-05T09:00 ; e 02-10T09:00 ; f 01-10T09:00 | abcde",
                "per=project daily=3 monthly=2 | a 03-11T10:00 ; b 03-10T09:00 ; c 03-09T09:00 ; d 03-08T09:00 ; e 02-27T10:00 ; f 02-26T10:00 | abce",
                // the oldest is nothing special
                "per=project daily=5 | a 03-11T10:00 ; b 03-11T09:00 ; c 03-11T08:00 | a",
                // younger than the minimum age, which counts all the same
                "per=project last=1 min=2h | a 03-11T11:00 ; b 03-11T10:30 ; c 03-11T10:00 | ab",
                "per=project last=2 min=2h | a 03-11T11:00 ; b 03-11T10:30 ; c 03-11T09:00 | ab",
                "per=project last=1 min=1d | a 03-10T11:00 ; b 03-10T10:00           | a",
                "min=1d | a 03-11T11:00 ; b 2020-03-10T10:00                         | ab",
                // the maximum age, which is reached at the instant
                "max=1d | a 03-11T11:00 ; b 03-10T12:01 ; c 03-10T12:00 ; d 03-09T10:00 | ab",
                "max=1d min=1d | a 03-10T12:01 ; b 03-10T12:00                       | a",
                "per=project last=5 max=1d | a 03-11T11:00 ; b 03-10T11:00           | a",
                "per=project last=5 max=1d | a 03-09T11:00                           | ''",
                "per=project monthly=12 max=60d | a 03-01T10:00 ; b 02-01T10:00 ; c 01-01T10:00 | ab",
                "per=project last=1 min=1h max=1d | a 03-11T11:30 ; b 03-11T11:20 ; c 03-11T10:00 ; d 03-09T10:00 | ab",
                // by name
                "name=nightly-* per=project last=1 | a 03-11T10:00 nightly-1 ; b 03-10T10:00 nightly-2 ; c 03-09T10:00 build | ac",
                "name=nightly-* max=1d | a 03-01T10:00 ; b 03-01T09:00 nightly-1 ; c 03-01T08:00 nightly | ac",
                "name=build:v? max=1d | a 03-01T10:00 build:v1 ; b 03-01T09:00 build:v10 ; c 03-01T08:00 build | bc",
                "name=*:default max=1d | a 03-01T10:00 build:v1 ; b 03-01T08:00 build | a",
                "name=* max=1d | a 03-01T10:00 ; b 03-01T08:00 build                 | a",
                // by label, all of them
                "team=red max=1d | a 03-01T10:00 team=red ; b 03-01T09:00 team=blue ; c 03-01T08:00 | bc",
                "team=red env=ci max=1d | a 03-01T10:00 team=red ; b 03-01T09:00 env=ci team=red more=x | a",
                "team=red per=source last=1 | a 03-03T10:00 team=red ; b 03-02T09:00 ; c 03-01T08:00 team=red | ab",
                // the first rule that is about it decides, be it milder or harder
                "name=release-* / max=1d | a 03-01T10:00 release-1 ; b 03-01T09:00   | a",
                "max=1d / name=release-* | a 03-01T10:00 release-1 ; b 03-01T09:00   | ''",
                "team=red max=10d / max=1d | a 03-05T10:00 team=red ; b 03-05T09:00 ; c 03-01T09:00 team=red | a",
                "name=a* per=name last=1 / per=project last=1 | a 03-11T10:00 a:1 ; b 03-11T09:00 b ; c 03-11T08:00 a ; d 03-11T07:00 | ab",
                // what is counted by one rule is not counted by the next
                "team=red per=project last=1 / per=project last=1 | a 03-11T10:00 team=red ; b 03-11T09:00 ; c 03-11T08:00 | ab",
                // what nobody may let go is counted all the same
                "per=project last=1 | a 03-11T10:00 ; b 03-11T09:00 pinned           | a(b)",
                "per=project last=1 | a 03-11T10:00 ; b 03-11T09:00 held ; c 03-11T08:00 occupied | a(b)(c)",
                "per=project last=1 | a 03-11T10:00 pinned ; b 03-11T09:00           | a",
                "per=project last=2 | a 03-11T10:00 ; b 03-11T09:00 pinned ; c 03-11T08:00 | ab",
                "per=project daily=1 | a 03-11T10:00 occupied ; b 03-11T09:00 pinned held ; c 03-11T08:00 | a(b)",
                "max=1d | a 03-01T10:00 pinned ; b 03-01T09:00                       | (a)",
            })
    void keeps(String policy, String snapshots, String kept) {
        assertThat(kept(Sketch.policy(policy), Sketch.candidates(snapshots))).isEqualTo(kept);
    }

    private static String kept(Policy policy, List<Candidate> candidates) {
        Judge judge = new Judge(policy, Sketch.NOW);
        StringBuilder kept = new StringBuilder();
        for (Candidate each : candidates) {
            switch (judge.judge(each).outcome()) {
                case KEEP -> kept.append(Sketch.letter(each));
                case SHIELDED -> kept.append('(').append(Sketch.letter(each)).append(')');
                case GO -> {
                    // not kept
                }
            }
        }
        return kept.toString();
    }

    @ParameterizedTest(name = "{0}: {1} because {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "name=x* / name=y max=1d | a 03-01T10:00 z  | no_rule no rule is about it",
                "all      | a 03-01T10:00                   | no_limit its rule lets nothing go",
                "max=30d  | a 03-01T10:00                   | no_limit it is younger than 30 days",
                "max=5d   | a 03-01T10:00                   | maximum_age it has reached the maximum age, 5 days",
                "per=source last=2 | a 03-01T10:00          | last number 1 of the last 2 of sandbox i0000000000000000000s",
                "per=project daily=2 | a 03-01T10:00        | daily the newest of 2026-03-01, number 1 of 2 daily of the project",
                "per=name monthly=2 | a 03-01T10:00 x:v     | monthly the newest of 2026-03, number 1 of 2 monthly of the name \"x\"",
                "per=project weekly=1 | a 01-01T10:00       | weekly the newest of 2026-W01, number 1 of 1 weekly of the project",
                "per=project weekly=1 | a 2027-01-01T10:00  | weekly the newest of 2026-W53, number 1 of 1 weekly of the project",
                "zone=Europe/Berlin per=project hourly=1 | a 2025-10-26T01:30 | hourly the newest of 2025-10-26T02:00+01:00, number 1 of 1 hourly of the project",
                "per=project last=1 daily=1 min=90m | a 03-11T11:00 | last number 1 of the last 1 of the project; daily the newest of 2026-03-11, number 1 of 1 daily of the project; minimum_age it is younger than PT1H30M",
                "per=project last=1 daily=3 | b 03-11T11:00 ; a 03-11T10:00 | surplus none of the last 1, 3 daily of the project",
                "max=1d | a 03-01T10:00 pinned held occupied | maximum_age it has reached the maximum age, 1 days; held somebody holds it; pinned it is pinned; occupied sandboxes live from it",
            })
    void explainsItself(String policy, String snapshots, String grounds) {
        Judge judge = new Judge(Sketch.policy(policy), Sketch.NOW);
        Ruling last = null;
        for (Candidate each : Sketch.candidates(snapshots)) {
            last = judge.judge(each);
        }
        assertThat(
                        last.grounds().stream()
                                .map(each -> each.kind().word() + " " + each.words())
                                .collect(Collectors.joining("; ")))
                .isEqualTo(grounds);
    }

    /** So the order in which jobs come by does not matter, nor that one of them broke off. */
    @Test
    void saysTheSameOfWhatIsKeptWhenTheRestIsGone() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Policy policy = policy(random);
            List<Candidate> all = crowd(random, 60);
            Map<Candidate, Ruling> first = rulings(policy, all);
            List<Candidate> rest =
                    all.stream()
                            .filter(each -> !first.get(each).goes() || random.nextBoolean())
                            .toList();
            assertThat(rulings(policy, rest))
                    .as("seed %d, %s", seed, policy)
                    .allSatisfy((each, ruling) -> assertThat(ruling).isEqualTo(first.get(each)));
        }
    }

    @Test
    void letsNothingMoreGoWhenAFigureIsRaised() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Policy policy = policy(random);
            List<Candidate> all = crowd(random, 60);
            Policy milder =
                    new Policy(
                            policy.zone(),
                            policy.rules().stream().map(rule -> milder(random, rule)).toList());
            Set<Candidate> before = going(policy, all);
            assertThat(before)
                    .as("seed %d, %s then %s", seed, policy, milder)
                    .containsAll(going(milder, all));
        }
    }

    private static Rule milder(Random random, Rule rule) {
        if (!rule.counts()) {
            return rule;
        }
        Map<Period, Integer> periods = new EnumMap<>(Period.class);
        periods.putAll(rule.periods());
        periods.merge(Period.values()[random.nextInt(4)], 1 + random.nextInt(3), Integer::sum);
        return new Rule(
                rule.name(),
                rule.labels(),
                rule.per(),
                OptionalInt.of(rule.last().orElse(0) + 1),
                periods,
                rule.minimumAge(),
                rule.maximumAge());
    }

    private static Set<Candidate> going(Policy policy, List<Candidate> all) {
        return rulings(policy, all).entrySet().stream()
                .filter(each -> each.getValue().goes())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static Map<Candidate, Ruling> rulings(Policy policy, List<Candidate> all) {
        Judge judge = new Judge(policy, Sketch.NOW);
        return all.stream().collect(Collectors.toMap(each -> each, judge::judge));
    }

    private static Policy policy(Random random) {
        String[] parts = {
            "name=x* per=source last=1 daily=2",
            "team=red per=name weekly=2",
            "per=project hourly=3 monthly=2 min=1h",
            "per=source daily=3 max=20d",
            "name=y max=9d",
            "per=project last=4"
        };
        List<String> rules = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            rules.add(parts[random.nextInt(parts.length)]);
        }
        return Sketch.policy(
                (random.nextBoolean() ? "zone=Pacific/Auckland " : "") + String.join(" / ", rules));
    }

    private static List<Candidate> crowd(Random random, int count) {
        List<Candidate> all = new ArrayList<>();
        Instant moment = Sketch.NOW;
        for (int i = 0; i < count; i++) {
            moment = moment.minus(Duration.ofMinutes(random.nextInt(1500)));
            Candidate one =
                    Sketch.candidates(
                                    (char) ('A' + i)
                                            + " 03-11T10:00"
                                            + (random.nextBoolean()
                                                    ? " "
                                                            + "xyz".charAt(random.nextInt(3))
                                                            + ":"
                                                            + i
                                                    : "")
                                            + " from="
                                            + "st".charAt(random.nextInt(2))
                                            + (random.nextBoolean() ? " team=red" : "")
                                            + (random.nextInt(9) == 0 ? " pinned" : ""))
                            .get(0);
            all.add(
                    new Candidate(
                            one.id(),
                            one.name(),
                            one.source(),
                            one.labels(),
                            moment,
                            moment,
                            1,
                            one.shields()));
        }
        return all;
    }

    @Test
    void wantsTheNewestFirst() {
        Judge judge = new Judge(Sketch.policy("per=project last=1"), Sketch.NOW);
        List<Candidate> two = Sketch.candidates("a 03-11T10:00 ; b 03-11T09:00");
        judge.judge(two.get(1));
        assertThatIllegalArgumentException().isThrownBy(() -> judge.judge(two.get(0)));
    }

    @Test
    void isTheSameAfterItWasWrittenDown() {
        for (int seed = 0; seed < 50; seed++) {
            Policy policy = policy(new Random(seed));
            var converter = new PolicyConverter();
            assertThat(
                            converter.convertToEntityAttribute(
                                    converter.convertToDatabaseColumn(policy)))
                    .isEqualTo(policy);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"rules\":{}}",
                "{\"rules\":[1]}",
                "{\"zone\":\"Mars/Olympus\"}",
                "{\"rule\":[]}",
                "{\"rules\":[{\"keepLast\":3}]}",
                "{\"rules\":[{\"per\":\"name\"}]}",
                "{\"rules\":[{\"per\":\"tag\",\"keepLast\":3}]}",
                "{\"rules\":[{\"per\":\"name\",\"keepLast\":0}]}",
                "{\"rules\":[{\"per\":\"name\",\"keepLast\":10001}]}",
                "{\"rules\":[{\"per\":\"name\",\"keepLast\":1.5}]}",
                "{\"rules\":[{\"per\":\"name\",\"keepLast\":\"3\"}]}",
                "{\"rules\":[{\"per\":\"name\",\"keepYearly\":3}]}",
                "{\"rules\":[{\"minimumAgeSeconds\":10,\"maximumAgeSeconds\":9}]}",
                "{\"rules\":[{\"maximumAgeSeconds\":400000000}]}",
                "{\"rules\":[{\"name\":\"a/b\"}]}",
                "{\"rules\":[{\"name\":\"a:b:c\"}]}",
                "{\"rules\":[{\"labels\":[\"a\"]}]}",
                "{\"rules\":[{\"labels\":{\"a\":1}}]}"
            })
    void refusesWhatItWouldMisunderstand(String text) {
        try (var reader = Json.createReader(new StringReader(text))) {
            JsonObject json = reader.readObject();
            assertThatThrownBy(() -> PolicyConverter.policy(json))
                    .isInstanceOf(Problem.class)
                    .satisfies(e -> assertThat(((Problem) e).members()).containsKey("parameter"));
        }
    }

    @ParameterizedTest(name = "{0}: {1} is ruled by {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "''                     | 5 | 0",
                "1@3                    | 2 | 0",
                "1@3                    | 3 | 1",
                "1@3 2@7                | 6 | 1",
                "1@3 2@7                | 7 | 2",
                "1@3 2@0                | 2 | 2",
                "1@3 2@0 3@9            | 8 | 2",
                "1@3 2@0 3@9            | 9 | 3",
                "1@3 2@5 3@0            | 4 | 3",
            })
    void knowsWhichVersionRules(String versions, long saved, int number) {
        List<Regime.Version> all = new ArrayList<>();
        for (String each : versions.split(" ")) {
            if (!each.isEmpty()) {
                all.add(
                        new Regime.Version(
                                each.charAt(0) - '0',
                                Sketch.policy(""),
                                Instant.ofEpochSecond(each.charAt(2) - '0')));
            }
        }
        assertThat(
                        new Regime(all)
                                .of(Instant.ofEpochSecond(saved))
                                .map(Regime.Version::number)
                                .orElse(0))
                .isEqualTo(number);
    }

    /** The same as before: new ones push out old ones, and what is ruled anew is counted anew. */
    @Test
    void leavesWhatExistsUnderTheVersionThatItWasSavedUnder() {
        List<Candidate> all =
                Sketch.candidates(
                        "a 03-11T10:00 ; b 03-10T10:00 ; c 03-09T10:00 ; d 03-08T10:00 ; e 03-07T10:00");
        Regime first = regime("per=project last=4", Instant.EPOCH);
        assertThat(going(first, all)).isEqualTo("e");

        Regime harder =
                first.with(
                        new Regime.Version(
                                2,
                                Sketch.policy("per=project last=1"),
                                Instant.parse("2026-03-10T00:00:00Z")));
        assertThat(going(harder, all)).as("b is ruled by 2, c and d by 1").isEqualTo("be");

        Regime overall =
                first.with(
                        new Regime.Version(2, Sketch.policy("per=project last=1"), Instant.EPOCH));
        assertThat(going(overall, all)).isEqualTo("bcde");
        assertThat(overall.versions()).hasSize(1);
    }

    private static Regime regime(String policy, Instant since) {
        return new Regime(List.of(new Regime.Version(1, Sketch.policy(policy), since)));
    }

    private static String going(Regime regime, List<Candidate> all) {
        Regime.Sitting sitting = regime.at(Sketch.NOW);
        return all.stream()
                .filter(each -> sitting.judge(each).ruling().goes())
                .map(Sketch::letter)
                .collect(Collectors.joining());
    }
}
