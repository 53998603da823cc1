package dev.holdfast.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

/** What makes one machine run and stand still: the part in which the generations differ. */
sealed interface Engine permits Runsc, Runc {
    int ERROR_LIMIT = 2000;

    static Engine of(Registration record, Cell cell, Host host) {
        return record.generation().isLight()
                ? new Runc(
                        cell,
                        host.stage(),
                        host.templates().point(record.template()),
                        host.network().name(record.slot()),
                        Runc.firstId(record.slot()))
                : new Runsc(record.build(), cell);
    }

    Cell cell();

    /** The command that makes a fresh machine; it ends when the machine runs. */
    List<String> run();

    Command pause();

    Command resume();

    boolean is(String status);

    /** The program's own words without the stacks of its threads. */
    static String words(String output) {
        int stacks = output.indexOf("goroutine ");
        String words = (stacks < 0 ? output : output.substring(0, stacks)).strip();
        return words.length() <= ERROR_LIMIT ? words : words.substring(0, ERROR_LIMIT) + " ...";
    }

    /** What a failed start wrote; a guest may have written there too, so it is only text. */
    default String errors() {
        try (var in = Files.newInputStream(cell().errors())) {
            return words(new String(in.readNBytes(64 * 1024), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return "no error text: " + e.getMessage();
        }
    }
}
