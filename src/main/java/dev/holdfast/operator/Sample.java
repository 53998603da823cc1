package dev.holdfast.operator;

import java.util.Map;

/** The numbers of one moment, by the gauges they are shown in. */
record Sample(Map<String, Double> numbers) {

    static final Sample NONE = new Sample(Map.of());

    Sample {
        numbers = Map.copyOf(numbers);
    }

    /** Zero for what the sample does not name: nothing of it was there. */
    double of(String number) {
        return numbers.getOrDefault(number, 0.0);
    }
}
