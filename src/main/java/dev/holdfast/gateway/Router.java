package dev.holdfast.gateway;

import dev.holdfast.sandbox.SandboxId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which sandbox and port a request means; pure, and total: every input has one decision. */
final class Router {

    /** Where a request goes. */
    sealed interface Decision {}

    /** To the control plane, as it came. */
    record ControlPlane() implements Decision {}

    /** To a port of a sandbox. */
    record ToSandbox(SandboxId sandbox, int port, By by) implements Decision {}

    /** To the sandbox, not named by the request, whose token made the signature. */
    record ToSigned(SignedFile file) implements Decision {}

    /** Nowhere; the caller's mistake. */
    record Refused(String message) implements Decision {}

    /** What named the sandbox. Requests routed by header share the control plane's host name. */
    enum By {
        HEADER,
        HOST,
        SIGNATURE
    }

    private static final Pattern LABEL = Pattern.compile("(\\d+)-([a-z0-9]+)(?:-[a-z0-9-]*)?");
    private static final Pattern NAMED = Pattern.compile("([a-z0-9]+)(?:-[a-z0-9-]*)?");
    private static final Pattern PORT = Pattern.compile("\\d{1,9}");
    private static final int LONGEST = 253;

    private Router() {}

    /**
     * Decides by the headers first, then by the left-most label of the host name. A signed file
     * address without either names no sandbox and is found by its signature.
     *
     * @param host the authority, with or without a port; null when the request had none
     * @param ids all values of {@code E2b-Sandbox-Id}
     * @param ports all values of {@code E2b-Sandbox-Port}
     * @param signed what the request is if it is a signed file address
     */
    static Decision decide(
            String host, List<String> ids, List<String> ports, Optional<SignedFile> signed) {
        if (!ids.isEmpty()) {
            return byHeaders(ids, ports);
        }
        Matcher label = LABEL.matcher(leftMostLabel(host));
        if (label.matches()) {
            return to(label.group(2), label.group(1), By.HOST);
        }
        return signed.<Decision>map(ToSigned::new).orElseGet(ControlPlane::new);
    }

    private static Decision byHeaders(List<String> ids, List<String> ports) {
        if (ids.size() > 1 || ports.size() > 1) {
            return new Refused("a request names one sandbox and one port");
        }
        if (ports.isEmpty()) {
            return new Refused("header E2b-Sandbox-Port is missing");
        }
        Matcher id = NAMED.matcher(ids.get(0).trim());
        return id.matches()
                ? to(id.group(1), ports.get(0).trim(), By.HEADER)
                : new Refused("header E2b-Sandbox-Id is malformed");
    }

    private static Decision to(String id, String port, By by) {
        if (!SandboxId.isWellFormed(id)) {
            return new Refused("the sandbox ID is malformed");
        }
        int number = PORT.matcher(port).matches() ? Integer.parseInt(port) : 0;
        return number < 1 || number > 65535
                ? new Refused("the port must be a number from 1 to 65535")
                : new ToSandbox(new SandboxId(id), number, by);
    }

    private static String leftMostLabel(String host) {
        if (host == null || host.length() > LONGEST + ":65535".length()) {
            return "";
        }
        int end = 0;
        while (end < host.length() && host.charAt(end) != '.' && host.charAt(end) != ':') {
            end++;
        }
        return host.substring(0, end).toLowerCase(Locale.ROOT);
    }
}
