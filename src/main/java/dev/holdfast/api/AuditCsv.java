package dev.holdfast.api;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Entries of an audit as RFC 4180 has it. Much of their text comes from callers, and programs that
 * open such files take what begins like a formula for one; such text gets an apostrophe in front.
 */
final class AuditCsv {
    static final String HEADER =
            "id,at,project,principal,action,subjectType,subjectId,outcome,reason,address,"
                    + "userAgent,requestId,details\r\n";

    private static final String FORMULA = "=+-@\t\r\n";

    private AuditCsv() {}

    static String line(AuditView entry) {
        return Stream.of(
                                entry.id(),
                                entry.at(),
                                entry.project(),
                                entry.principal(),
                                entry.action(),
                                entry.subject().type(),
                                entry.subject().id(),
                                entry.outcome(),
                                entry.reason(),
                                entry.address(),
                                entry.userAgent(),
                                entry.requestId(),
                                details(entry))
                        .map(each -> cell(Objects.toString(each, "")))
                        .collect(Collectors.joining(","))
                + "\r\n";
    }

    static String cell(String text) {
        String harmless =
                !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return "\"" + harmless.replace("\"", "\"\"") + "\"";
    }

    private static String details(AuditView entry) {
        return entry.details().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("; "));
    }
}
