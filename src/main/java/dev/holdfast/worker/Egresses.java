package dev.holdfast.worker;

import dev.holdfast.runtime.Egress;
import dev.holdfast.sandbox.AddressRange;
import dev.holdfast.sandbox.NamePattern;
import dev.holdfast.sandbox.NetworkPolicy;
import java.util.List;

/** What a sandbox's network policy means for its machine. */
final class Egresses {

    private Egresses() {}

    static Egress of(NetworkPolicy policy) {
        return new Egress(
                policy.isOpen(),
                ranges(policy.allowed()),
                policy.isOpen() ? ranges(policy.denied()) : List.of(),
                policy.names().stream().map(NamePattern::text).toList());
    }

    private static List<Egress.Range> ranges(List<AddressRange> ranges) {
        return ranges.stream().map(one -> new Egress.Range(one.first(), one.last())).toList();
    }
}
