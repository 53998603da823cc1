package dev.holdfast.sandbox;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a caller says of the network of a new sandbox. What is absent or empty is not said, and the
 * sandbox then has what its snapshot says, or the default. The two lists are one setting: who
 * writes one of them replaces both, because an entry of the one means nothing without the other.
 *
 * @param internet whether it may reach the internet
 * @param allowOut see {@link NetworkPolicy}
 * @param denyOut see {@link NetworkPolicy}
 */
public record NetworkOverride(
        Optional<Boolean> internet,
        List<String> allowOut,
        List<String> denyOut,
        Optional<Boolean> publicTraffic,
        Optional<String> requestHost) {

    public static final NetworkOverride NONE =
            new NetworkOverride(
                    Optional.empty(), List.of(), List.of(), Optional.empty(), Optional.empty());

    public NetworkOverride {
        Objects.requireNonNull(internet);
        Objects.requireNonNull(publicTraffic);
        Objects.requireNonNull(requestHost);
        allowOut = List.copyOf(allowOut);
        denyOut = List.copyOf(denyOut);
    }

    public NetworkPolicy onto(NetworkPolicy inherited) {
        boolean lists = !allowOut.isEmpty() || !denyOut.isEmpty();
        return new NetworkPolicy(
                internet.or(inherited::internet),
                lists ? allowOut : inherited.allowOut(),
                lists ? denyOut : inherited.denyOut(),
                publicTraffic.orElse(inherited.publicTraffic()),
                requestHost.filter(host -> !host.isBlank()).or(inherited::requestHost));
    }
}
