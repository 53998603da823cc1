package dev.holdfast.agent;

import java.time.Duration;

/** How the sandbox fares, as seen from inside; sizes in bytes. */
public record Usage(
        int processors,
        Duration processorTime,
        long memoryTotal,
        long memoryUsed,
        long memoryCache,
        long diskTotal,
        long diskUsed,
        Duration uptime) {

    static Usage of(Members members) {
        return new Usage(
                (int) members.number("cpuCount", 1),
                Duration.ofMillis(members.number("cpuMillis", 0)),
                members.number("memoryTotal", 0),
                members.number("memoryUsed", 0),
                members.number("memoryCache", 0),
                members.number("diskTotal", 0),
                members.number("diskUsed", 0),
                Duration.ofMillis(members.number("uptimeMillis", 0)));
    }
}
