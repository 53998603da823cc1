package dev.holdfast.quota;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a project stored, day by day.
 *
 * @param asOf the moment up to which the last day reaches
 * @param days one for each day, the oldest first
 */
public record History(Instant asOf, List<UsageDay> days) {

    public History {
        days = List.copyOf(days);
    }

    /**
     * @param settled what is written down; days may be missing
     * @param since the time after that, up to now
     */
    static History of(List<UsageDay> settled, Span since, int days) {
        LocalDate today = LocalDate.ofInstant(since.to(), ZoneOffset.UTC);
        LocalDate first = today.minusDays(days - 1L);
        Map<LocalDate, UsageDay> known = new TreeMap<>();
        Stream.concat(settled.stream(), since.days().stream())
                .forEach(day -> known.merge(day.day(), day, UsageDay::then));
        return new History(
                since.to(),
                first.datesUntil(today.plusDays(1))
                        .map(day -> known.getOrDefault(day, UsageDay.empty(day)))
                        .toList());
    }

    /** What all its days come to. */
    public ByteTime total() {
        return days.stream().map(UsageDay::both).reduce(ByteTime.NONE, ByteTime::plus);
    }
}
