package dev.holdfast.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.run.LocalServer;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import org.jboss.dmr.ModelNode;

/** WildFly's own command line, without a process for each line: its one-jar client. */
final class Cli implements AutoCloseable {

    private final URLClassLoader loader;
    private final Object cli;

    Cli(LocalServer server) throws Exception {
        var jar = server.options().wildfly().resolve("bin/client/jboss-cli-client.jar");
        loader =
                new URLClassLoader(
                        new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        var type = loader.loadClass("org.jboss.as.cli.scriptsupport.CLI");
        cli = within(() -> type.getMethod("newInstance").invoke(null));
        within(
                () ->
                        type.getMethod(
                                        "connect",
                                        String.class,
                                        String.class,
                                        int.class,
                                        String.class,
                                        char[].class)
                                .invoke(
                                        cli,
                                        "remote+http",
                                        server.management().getHost(),
                                        server.management().getPort(),
                                        null,
                                        null));
    }

    /** It looks for its parts by the thread's loader, not by its own. */
    private <T> T within(Callable<T> work) throws Exception {
        var thread = Thread.currentThread();
        var usual = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return work.call();
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    /** Runs one line, which must succeed; empty for one that is no operation. */
    ModelNode run(String line) throws Exception {
        var result = cli.getClass().getMethod("cmd", String.class).invoke(cli, line);
        var answer = result.getClass().getMethod("getResponse").invoke(result);
        var success = (boolean) result.getClass().getMethod("isSuccess").invoke(result);
        assertThat(success).as(line + ": " + answer).isTrue();
        return answer == null
                ? new ModelNode()
                : ModelNode.fromJSONString(
                        (String)
                                answer.getClass()
                                        .getMethod("toJSONString", boolean.class)
                                        .invoke(answer, true));
    }

    @Override
    public void close() throws Exception {
        // The loader stays: what the client does when this process ends needs classes of it, and
        // without them waits for ever.
        within(() -> cli.getClass().getMethod("disconnect").invoke(cli));
    }
}
