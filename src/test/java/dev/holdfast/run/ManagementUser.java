package dev.holdfast.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Who may sign in to the management console. There is nobody unless the environment names one; the
 * file is the one that WildFly's own {@code add-user.sh} writes.
 */
record ManagementUser(String name, String password) {

    private static final String REALM = "ManagementRealm";
    private static final String FILE = "mgmt-users.properties";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9@._-]{1,64}");

    ManagementUser {
        if (!NAME.matcher(name).matches() || password.isBlank()) {
            throw new IllegalArgumentException(
                    "HOLDFAST_MANAGEMENT_USER is 1 to 64 of A-Z a-z 0-9 @ . _ -, and"
                            + " HOLDFAST_MANAGEMENT_PASSWORD is not empty");
        }
    }

    /** Puts the user in the place of one of the same name; others stay. */
    void writeInto(Path configuration) throws IOException {
        var file = configuration.resolve(FILE);
        var lines = new ArrayList<>(Files.readAllLines(file));
        lines.removeIf(line -> line.startsWith(name + "="));
        lines.add(line());
        Home.write(file, String.join("\n", lines) + "\n");
    }

    /** What the server keeps of the password: what an answer to its challenge is made from. */
    String line() {
        try {
            var digest = MessageDigest.getInstance("MD5");
            var text = name + ":" + REALM + ":" + password;
            return name
                    + "="
                    + HexFormat.of()
                            .formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
