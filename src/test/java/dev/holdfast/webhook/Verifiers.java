package dev.holdfast.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs what the README gives to receivers, each in its own language. */
public final class Verifiers {

    private static final Map<String, String> HARNESSES =
            Map.of(
                    "python",
                    """

                    import pathlib, sys
                    here = pathlib.Path(sys.argv[1])
                    names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
                    given = {name: (here / name).read_text() for name in names}
                    verify((here / 'secret').read_text(), given, (here / 'body').read_bytes())
                    print('ours')
                    """,
                    "js",
                    """

                    import { readFileSync } from 'node:fs'
                    const read = (name) => readFileSync(process.argv[2] + '/' + name)
                    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
                    const given = Object.fromEntries(names.map((name) => [name, read(name).toString()]))
                    verify(read('secret').toString(), given, read('body'))
                    console.log('ours')
                    """,
                    "java",
                    """

                    class Harness {
                        public static void main(String[] of) throws Exception {
                            java.nio.file.Path here = java.nio.file.Path.of(of[0]);
                            Map<String, String> given = new java.util.HashMap<>();
                            for (String name : new String[] {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
                                given.put(name, java.nio.file.Files.readString(here.resolve(name)));
                            }
                            Webhook.verify(java.nio.file.Files.readString(here.resolve("secret")), given,
                                    java.nio.file.Files.readAllBytes(here.resolve("body")));
                            System.out.println("ours");
                        }
                    }
                    """);

    private Verifiers() {}

    /** Whether the program of that language takes it for a delivery of ours. */
    public static boolean accepts(
            String language, String secret, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException {
        Path here = Files.createTempDirectory("webhook");
        try {
            for (var name : headers.keySet()) {
                Files.writeString(here.resolve(name), headers.get(name));
            }
            Files.writeString(here.resolve("secret"), secret);
            Files.write(here.resolve("body"), body);
            return run(language, here);
        } finally {
            try (var files = Files.list(here)) {
                for (var file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(here);
        }
    }

    private static boolean run(String language, Path here)
            throws IOException, InterruptedException {
        Path program =
                here.resolve(
                        switch (language) {
                            case "python" -> "receiver.py";
                            case "js" -> "receiver.mjs";
                            default -> "Receiver.java";
                        });
        Files.writeString(program, program(language));
        var command =
                switch (language) {
                    case "python" -> new ProcessBuilder("python3", program + "", here + "");
                    case "js" -> new ProcessBuilder("node", program + "", here + "");
                    default -> new ProcessBuilder(java(), program + "", here + "");
                };
        var process =
                command.redirectError(ProcessBuilder.Redirect.DISCARD)
                        .redirectOutput(here.resolve("said").toFile())
                        .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("the receiver in " + language + " hangs");
        }
        return process.exitValue() == 0
                && Files.readString(here.resolve("said")).strip().equals("ours");
    }

    /** A single source file begins with the class that is run. */
    private static String program(String language) throws IOException {
        String given = example(language);
        if (!language.equals("java")) {
            return given + HARNESSES.get(language);
        }
        return given.replaceFirst(
                "(?m)^class Webhook",
                HARNESSES.get(language).replace("$", "\\$") + "\nclass Webhook");
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String example(String language) throws IOException {
        String page = Files.readString(Path.of("README.md"));
        var block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                        .matcher(page.substring(page.indexOf("### Webhooks")));
        if (!block.find()) {
            throw new IOException("the README has no receiver in " + language);
        }
        return block.group(1);
    }
}
