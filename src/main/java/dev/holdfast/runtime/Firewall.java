package dev.holdfast.runtime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * One nftables table per instance. Everything from an interface with this instance's prefix is
 * refused unless a rule here lets it pass, so an interface that has no entry yet is shut. A change
 * is one short run of nft (8 ms): it is atomic, and there is no long-lived process to lose.
 *
 * <p>What a machine may do: answer the host; ask its name forwarder if it has one; and reach
 * addresses outside that are nobody's private ones, as far as its {@link Egress} goes. The rest is
 * refused aloud, so that a program inside fails at once and does not wait for an answer.
 *
 * <p>Each machine that may reach something has a chain of its own. A connection that the chain lets
 * out carries the mark of that egress; packets of a connection pass only while the mark is the
 * machine's present one, in both directions. So a change cuts what it denies, and what it still
 * allows goes on.
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

    /**
     * How long an address is reachable after an allowed name led to it, if no connection is opened
     * in that time; well over what {@link Forwarder} lets answers live.
     */
    private static final String NAME_LIFE = "1h";

    /** Addresses of allowed names of one machine; more are not reachable. */
    private static final int MOST_ADDRESSES = 4096;

    private static final Pattern ADDRESS = Pattern.compile("\\b\\d{1,3}(\\.\\d{1,3}){3}\\b");

    private final Network network;
    private final String table;

    /** What the table must hold, so that it can be made again as a whole. */
    private final Map<Integer, Egress> slots = new HashMap<>();

    /** What nft says of the table, members of sets aside, when it is as it should be. */
    private String intact = "";

    Firewall(Network network) {
        this.network = network;
        this.table = "inet " + name();
    }

    /** Replaces the table in one step; there is no moment without rules. */
    synchronized void install(Map<Integer, Egress> egressBySlot) {
        slots.clear();
        slots.putAll(egressBySlot);
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
        slots.put(slot, Egress.NOTHING);
    }

    /** Replaces what a machine may reach, in one step. */
    synchronized void egress(int slot, Egress egress) {
        Egress now = slots.getOrDefault(slot, Egress.NOTHING);
        if (now.equals(egress) && slots.containsKey(slot)) {
            return;
        }
        var lines = new ArrayList<String>();
        // Nobody knows which name an address came from, so all go with a name that goes.
        boolean known = !now.names().isEmpty() && egress.names().containsAll(now.names());
        List<String> addresses = known ? known(slot) : List.of();
        lines.addAll(shutting(slot, now));
        lines.addAll(opening(slot, egress));
        lines.addAll(addresses);
        apply(String.join("\n", lines));
        slots.put(slot, egress);
        remember();
    }

    synchronized void remove(int slot) {
        Egress now = slots.get(slot);
        if (now == null) {
            return;
        }
        var lines = new ArrayList<String>();
        lines.add("delete element " + table + " addresses { " + pair(slot) + " }");
        lines.addAll(shutting(slot, now));
        apply(String.join("\n", lines));
        slots.remove(slot);
        if (!now.isNothing()) {
            remember();
        }
    }

    synchronized void uninstall() {
        slots.clear();
        apply("table " + table + "\ndelete table " + table);
    }

    /** Where the name forwarder of a machine puts the addresses that it answers, as nft says it. */
    String namesOf(int slot) {
        return "inet#" + name() + "#names_" + slot;
    }

    private void install() {
        apply("table " + table + "\ndelete table " + table + "\n" + rules() + members());
        remember();
    }

    private void remember() {
        intact = Command.must("nft", "--terse", "list", "table", "inet", name());
    }

    private String name() {
        return "holdfast_" + network.instance();
    }

    private String rules() {
        String ours = "\"" + network.prefix() + "*\"";
        return """
        table %1$s {
            set addresses { type ifname . ipv4_addr; %2$s }
            set passing { type ipv4_addr . mark; }
            set asking { type ifname . ipv4_addr; }
            map forwarders { type ifname : ipv4_addr; }
            map egress { type ifname : verdict; }
            set closed { type ipv4_addr; flags interval; elements = { %3$s } }
            chain sandbox_source {
                type filter hook prerouting priority raw; policy accept;
                iifname != %4$s accept
                meta nfproto ipv6 drop
                iifname . ip saddr != @addresses drop
            }
            chain sandbox_names {
                type nat hook prerouting priority dstnat; policy accept;
                iifname %4$s ip daddr %5$s udp dport 53 dnat ip to iifname map @forwarders
                iifname %4$s ip daddr %5$s tcp dport 53 dnat ip to iifname map @forwarders
            }
            chain sandbox_to_host {
                type filter hook input priority filter; policy accept;
                iifname != %4$s accept
                ct direction reply ct state established,related accept
                iifname . ip daddr @asking ct status dnat udp dport 53 accept
                iifname . ip daddr @asking ct status dnat tcp dport 53 accept
                reject with icmpx admin-prohibited
            }
            chain sandbox_forward {
                type filter hook forward priority filter; policy accept;
                iifname %4$s jump from_sandbox
                oifname %4$s jump to_sandbox
            }
            chain from_sandbox {
                oifname "hf*" reject with icmpx admin-prohibited
                ip daddr @closed reject with icmpx admin-prohibited
                fib daddr type { local, broadcast, anycast, multicast } drop
                ct direction original ip saddr . ct mark @passing accept
                iifname vmap @egress
                meta l4proto tcp ct state established reject with tcp reset
                reject with icmpx admin-prohibited
            }
            chain to_sandbox {
                iifname "hf*" drop
                ct direction reply ct state established,related ip daddr . ct mark @passing accept
                drop
            }
            chain sandbox_leave {
                type nat hook postrouting priority srcnat; policy accept;
                ip saddr %6$s oifname != "hf*" masquerade
            }
        }
        """
                .formatted(
                        table,
                        elements(new TreeMap<>(slots).keySet().stream().map(this::pair).toList()),
                        CLOSED,
                        ours,
                        NAME_SERVER,
                        network.range());
    }

    /** What each machine has of its own; addresses of names go on where they were known. */
    private String members() {
        var lines = new ArrayList<String>();
        new TreeMap<>(slots)
                .forEach(
                        (slot, egress) -> {
                            lines.addAll(opening(slot, egress));
                            if (!egress.names().isEmpty()) {
                                lines.addAll(known(slot));
                            }
                        });
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    private List<String> known(int slot) {
        Command listed = Command.run("nft", "list", "set", "inet", name(), "names_" + slot);
        List<String> addresses =
                listed.failed()
                        ? List.of()
                        : ADDRESS.matcher(listed.output())
                                .results()
                                .map(found -> found.group())
                                .distinct()
                                .toList();
        return addresses.isEmpty()
                ? List.of()
                : List.of(
                        "add element %s names_%d { %s }"
                                .formatted(table, slot, String.join(", ", addresses)));
    }

    private List<String> opening(int slot, Egress egress) {
        if (egress.isNothing()) {
            return List.of();
        }
        long mark = mark(slot, egress);
        String chain = "machine_" + slot;
        var lines = new ArrayList<String>();
        lines.add("add chain %s %s".formatted(table, chain));
        if (!egress.names().isEmpty()) {
            lines.add(
                    "add set %s names_%d { type ipv4_addr; flags dynamic,timeout; timeout %s; size %d; }"
                            .formatted(table, slot, NAME_LIFE, MOST_ADDRESSES));
        }
        for (String rule : passes(slot, egress, mark)) {
            lines.add("add rule %s %s %s".formatted(table, chain, rule));
        }
        lines.add(
                "add element %s passing { %s . %d }"
                        .formatted(table, network.inside(slot).getHostAddress(), mark));
        lines.add("add element %s egress { %s : jump %s }".formatted(table, quoted(slot), chain));
        if (egress.open() || !egress.names().isEmpty()) {
            String forwarder = forwarder(slot, egress);
            lines.add(
                    "add element %s forwarders { %s : %s }"
                            .formatted(table, quoted(slot), forwarder));
            lines.add(
                    "add element %s asking { %s . %s }".formatted(table, quoted(slot), forwarder));
        }
        return lines;
    }

    /** The rules of a machine's own chain; what none of them lets pass is refused after it. */
    private static List<String> passes(int slot, Egress egress, long mark) {
        String pass = "ct mark set " + mark + " accept";
        var rules = new ArrayList<String>();
        if (!egress.allow().isEmpty()) {
            rules.add("ip daddr " + ranges(egress.allow()) + " " + pass);
        }
        if (!egress.names().isEmpty()) {
            rules.add(
                    "ip daddr @names_%1$d update @names_%1$d { ip daddr } %2$s"
                            .formatted(slot, pass));
        }
        if (egress.open() && !egress.deny().isEmpty()) {
            rules.add("ip daddr " + ranges(egress.deny()) + " return");
        }
        if (egress.open()) {
            rules.add(pass);
        }
        return rules;
    }

    /** The reverse of {@link #opening}. */
    private List<String> shutting(int slot, Egress egress) {
        if (egress.isNothing()) {
            return List.of();
        }
        var lines = new ArrayList<String>();
        if (egress.open() || !egress.names().isEmpty()) {
            String forwarder = forwarder(slot, egress);
            lines.add(
                    "delete element %s asking { %s . %s }"
                            .formatted(table, quoted(slot), forwarder));
            lines.add("delete element %s forwarders { %s }".formatted(table, quoted(slot)));
        }
        lines.add("delete element %s egress { %s }".formatted(table, quoted(slot)));
        lines.add(
                "delete element %s passing { %s . %d }"
                        .formatted(
                                table, network.inside(slot).getHostAddress(), mark(slot, egress)));
        lines.add("flush chain %s machine_%d".formatted(table, slot));
        lines.add("delete chain %s machine_%d".formatted(table, slot));
        if (!egress.names().isEmpty()) {
            lines.add("delete set %s names_%d".formatted(table, slot));
        }
        return lines;
    }

    private String forwarder(int slot, Egress egress) {
        return (egress.open() ? network.forwarder() : network.gateway(slot)).getHostAddress();
    }

    /**
     * The same after a restart, so that connections which were let out go on; never zero, which is
     * what a connection has that nobody marked.
     */
    private static long mark(int slot, Egress egress) {
        var sum = new CRC32();
        sum.update((slot + " " + egress).getBytes(StandardCharsets.UTF_8));
        return sum.getValue() | 1;
    }

    private static String ranges(Collection<Egress.Range> ranges) {
        return ranges.stream()
                .map(Egress.Range::toString)
                .collect(Collectors.joining(", ", "{ ", " }"));
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
