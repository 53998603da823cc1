package dev.holdfast.console;

import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Bounds how often an address may try to sign in in vain. What is tried counts before it is looked
 * at, so that many at once are no way around; what succeeded is taken off again. Holds a bounded
 * number of addresses, and counts the rest as one.
 */
@ApplicationScoped
public class Attempts {

    private static final int MOST = 10_000;
    private static final long PERIOD = Duration.ofMinutes(1).toNanos();
    private static final String ALL_OTHERS = "others";
    private static final Pattern LITERAL = Pattern.compile("[0-9A-Fa-f.:]{2,45}");

    /** Of an IPv6 address the network, because whoever has one has all of it. */
    private static final int NETWORK_BYTES = 8;

    private static final class Window {
        long since;
        int tried;
    }

    private final Map<String, Window> windows = new HashMap<>();

    @Inject ConsoleConfig config;

    /**
     * @throws Problem {@code rate_limited}, saying when to come again
     */
    void begin(String address) {
        begin(address, System.nanoTime());
    }

    synchronized void begin(String address, long now) {
        Window window = window(address, now);
        if (window.tried >= config.attempts()) {
            throw new Problem(
                            Reason.RATE_LIMITED,
                            "Too many keys from your address were not taken. Wait a minute, and"
                                    + " check the key before you try again.")
                    .retryAfter(Duration.ofNanos(window.since + PERIOD - now).plusSeconds(1));
        }
        window.tried++;
    }

    synchronized void succeeded(String address) {
        Window window = windows.get(group(address));
        if (window != null && window.tried > 0) {
            window.tried--;
        }
    }

    private Window window(String address, long now) {
        if (windows.size() >= MOST) {
            windows.values().removeIf(each -> now - each.since >= PERIOD);
        }
        String group = group(address);
        boolean full = windows.size() >= MOST && !windows.containsKey(group);
        Window window =
                windows.computeIfAbsent(
                        full ? ALL_OTHERS : group, each -> begun(new Window(), now));
        return now - window.since >= PERIOD ? begun(window, now) : window;
    }

    private static Window begun(Window window, long now) {
        window.since = now;
        window.tried = 0;
        return window;
    }

    private static String group(String address) {
        if (address == null || !LITERAL.matcher(address).matches()) {
            return ALL_OTHERS;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == 4 ? address : HexFormat.of().formatHex(bytes, 0, NETWORK_BYTES);
        } catch (UnknownHostException e) {
            return ALL_OTHERS;
        }
    }
}
