package dev.holdfast.operator;

import java.util.List;
import java.util.Map;

/** The numbers of one moment, by the gauges they are shown in. */
record Sample(Map<String, Double> numbers) {

    static final Sample NONE = new Sample(Map.of());

    Sample {
        numbers = Map.copyOf(numbers);
    }

    /** What there are numbers of below a heading. */
    List<String> below(String heading) {
        return numbers.keySet().stream()
                .filter(number -> number.startsWith(heading))
                .map(number -> number.substring(heading.length()))
                .toList();
    }

    /** Zero for what the sample does not name: nothing of it was there. */
    double of(String number) {
        return numbers.getOrDefault(number, 0.0);
    }
}
