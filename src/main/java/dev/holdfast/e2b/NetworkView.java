package dev.holdfast.e2b;

import dev.holdfast.sandbox.NetworkPolicy;
import java.util.List;

/**
 * The network settings of a sandbox, as they were written.
 *
 * @param allowOut absent when there are none, as is {@code denyOut}
 */
public record NetworkView(
        boolean allowPublicTraffic,
        List<String> allowOut,
        List<String> denyOut,
        String maskRequestHost) {

    static NetworkView of(NetworkPolicy policy) {
        return new NetworkView(
                policy.publicTraffic(),
                orAbsent(policy.allowOut()),
                orAbsent(policy.denyOut()),
                policy.requestHost().orElse(null));
    }

    private static List<String> orAbsent(List<String> list) {
        return list.isEmpty() ? null : list;
    }
}
