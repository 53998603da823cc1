package dev.holdfast.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Snapshots as a busy project has them, made by SQL. */
public final class BenchRows {

    private static final String FILE = "/bench/snapshots.sql";

    private BenchRows() {}

    /** The statements that make so many rows of a project. */
    public static String statements(UUID project, int rows) throws IOException {
        try (var file = BenchRows.class.getResourceAsStream(FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(":project", "'" + project + "'")
                    .replace(":rows", Integer.toString(rows));
        }
    }
}
