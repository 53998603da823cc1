package dev.holdfast.e2b;

import java.util.Optional;

/**
 * One test of a program against a package, as its runner reported it.
 *
 * @param sdk the package's title in the compatibility table
 * @param area what the program is about; empty for one that is not part of the table
 * @param differs why this is not as with the original service, for a test that shows a difference
 */
record SdkCase(
        String sdk,
        Optional<String> area,
        String name,
        Optional<String> failure,
        boolean skipped,
        Optional<String> differs) {}
