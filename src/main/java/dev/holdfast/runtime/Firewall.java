package dev.holdfast.runtime;

import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One nftables table per instance. Everything from an interface with this instance's prefix is
 * refused unless a rule here lets it pass, so an interface that has no entry yet is shut. A change
 * is one short run of nft (8 ms): it is atomic, and there is no long-lived process to lose.
 *
 * <p>What a machine may do: answer the host; with internet also ask the forwarder and reach
 * addresses outside that are nobody's private ones. The rest is refused aloud, so that a program
 * inside fails at once and does not wait for an answer.
 */
final class Firewall {
    static final String NAME_SERVER = "198.51.100.53";

    private static final String CLOSED =
            String.join(
                    ", ",
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "224.0.0.0/3");

    private final Network network;
    private final String table;

    /** What the table must hold, so that it can be made again as a whole. */
    private final Map<Integer, Boolean> slots = new HashMap<>();

    /** What nft says of the table, members of sets aside, when it is as it should be. */
    private String intact = "";

    Firewall(Network network) {
        this.network = network;
        this.table = "inet " + name();
    }

    /** Replaces the table in one step; there is no moment without rules. */
    synchronized void install(Map<Integer, Boolean> internetBySlot) {
        slots.clear();
        slots.putAll(internetBySlot);
        install();
    }

    /** Puts the table back if somebody flushed or changed the host's rules. */
    synchronized boolean restoreIfChanged() {
        Command now = Command.run("nft", "--terse", "list", "table", "inet", name());
        if (!now.failed() && now.output().equals(intact)) {
            return false;
        }
        install();
        return true;
    }

    /** Binds the slot's address to its interface; still shut. */
    synchronized void add(int slot) {
        apply("add element " + table + " addresses { " + pair(slot) + " }");
        slots.put(slot, false);
    }

    synchronized void internet(int slot, boolean open) {
        Boolean now = slots.get(slot);
        if (now == null || now != open) {
            String verb = open ? "add" : "delete";
            apply(verb + " element " + table + " internet { " + quoted(slot) + " }");
            slots.put(slot, open);
        }
    }

    synchronized void remove(int slot) {
        Boolean open = slots.get(slot);
        if (open == null) {
            return;
        }
        String line = "delete element " + table + " addresses { " + pair(slot) + " }\n";
        if (open) {
            line += "delete element " + table + " internet { " + quoted(slot) + " }";
        }
        apply(line);
        slots.remove(slot);
    }

    synchronized void uninstall() {
        slots.clear();
        apply("table " + table + "\ndelete table " + table);
    }

    private void install() {
        apply("table " + table + "\ndelete table " + table + "\n" + rules());
        intact = Command.must("nft", "--terse", "list", "table", "inet", name());
    }

    private String name() {
        return "holdfast_" + network.instance();
    }

    private String rules() {
        String ours = "\"" + network.prefix() + "*\"";
        InetAddress forwarder = network.forwarder();
        return """
        table %1$s {
            set internet { type ifname; %2$s }
            set addresses { type ifname . ipv4_addr; %3$s }
            set closed { type ipv4_addr; flags interval; elements = { %4$s } }
            chain sandbox_source {
                type filter hook prerouting priority raw; policy accept;
                iifname != %5$s accept
                meta nfproto ipv6 drop
                iifname . ip saddr != @addresses drop
            }
            chain sandbox_names {
                type nat hook prerouting priority dstnat; policy accept;
                iifname @internet ip daddr %6$s udp dport 53 dnat ip to %7$s:53
                iifname @internet ip daddr %6$s tcp dport 53 dnat ip to %7$s:53
            }
            chain sandbox_to_host {
                type filter hook input priority filter; policy accept;
                iifname != %5$s accept
                ct direction reply ct state established,related accept
                iifname @internet ct status dnat ip daddr %7$s udp dport 53 accept
                iifname @internet ct status dnat ip daddr %7$s tcp dport 53 accept
                reject with icmpx admin-prohibited
            }
            chain sandbox_forward {
                type filter hook forward priority filter; policy accept;
                iifname %5$s jump from_sandbox
                oifname %5$s jump to_sandbox
            }
            chain from_sandbox {
                iifname != @internet reject with icmpx admin-prohibited
                oifname "hf*" reject with icmpx admin-prohibited
                ip daddr @closed reject with icmpx admin-prohibited
                fib daddr type { local, broadcast, anycast, multicast } drop
            }
            chain to_sandbox {
                iifname "hf*" drop
                oifname @internet ct direction reply ct state established,related accept
                drop
            }
            chain sandbox_leave {
                type nat hook postrouting priority srcnat; policy accept;
                ip saddr %8$s oifname != "hf*" masquerade
            }
        }
        """
                .formatted(
                        table,
                        elements(openSlots()),
                        elements(allSlots()),
                        CLOSED,
                        ours,
                        NAME_SERVER,
                        forwarder.getHostAddress(),
                        network.range());
    }

    private Collection<String> openSlots() {
        return new TreeMap<>(slots)
                .entrySet().stream()
                        .filter(Map.Entry::getValue)
                        .map(entry -> quoted(entry.getKey()))
                        .toList();
    }

    private Collection<String> allSlots() {
        return new TreeMap<>(slots).keySet().stream().map(this::pair).toList();
    }

    private static String elements(Collection<String> values) {
        return values.isEmpty()
                ? ""
                : values.stream().collect(Collectors.joining(", ", "elements = { ", " }"));
    }

    private String pair(int slot) {
        return quoted(slot) + " . " + network.inside(slot).getHostAddress();
    }

    private String quoted(int slot) {
        return "\"" + network.name(slot) + "\"";
    }

    private static void apply(String rules) {
        Command.feed(rules, "nft", "-f", "-").orThrow("nft");
    }
}
