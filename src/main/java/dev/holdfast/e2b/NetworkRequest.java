package dev.holdfast.e2b;

import dev.holdfast.sandbox.NetworkOverride;
import dev.holdfast.sandbox.NetworkPolicy;
import jakarta.json.JsonValue;
import java.util.List;

/** The network settings in the bodies of a create and of an update. */
final class NetworkRequest {

    private static final String INTERNET = "allow_internet_access";
    private static final String ALLOW_OUT = "allowOut";
    private static final String DENY_OUT = "denyOut";

    /** Header rules and proxies would need us inside the caller's TLS; the others open nothing. */
    private static final List<String> UNSUPPORTED =
            List.of("rules", "egressProxy", "httpsPorts", "dnsServers");

    private NetworkRequest() {}

    /** What a create says: the members of {@code network}, and one beside them. */
    static NetworkOverride override(Members members) {
        Members network = members.object("network");
        UNSUPPORTED.forEach(network::refuse);
        return new NetworkOverride(
                members.flag(INTERNET),
                network.textList(ALLOW_OUT),
                network.textList(DENY_OUT),
                network.flag("allowPublicTraffic"),
                network.text("maskRequestHost"));
    }

    /** What an update says: all of the egress setting, where an absent member is cleared. */
    static NetworkPolicy egress(JsonValue body) {
        Members members = Members.of(body);
        UNSUPPORTED.forEach(members::refuse);
        return new NetworkPolicy(
                members.flag(INTERNET),
                members.textList(ALLOW_OUT),
                members.textList(DENY_OUT),
                NetworkPolicy.DEFAULT.publicTraffic(),
                NetworkPolicy.DEFAULT.requestHost());
    }
}
