package dev.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** With the broker's own client: a broker inside the server never stops without the application. */
class BrokerCheckTest {

    private static final String CLIENT =
            "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory";

    @Test
    void isDownAsLongAsNobodyAnswersAndSaysWhy() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // Not closed: the client's threads end a little after it, and still load classes.
        var loader =
                new URLClassLoader(
                        new URL[] {client().toUri().toURL()}, getClass().getClassLoader());
        var factory = loader.loadClass(CLIENT).getConstructor(String.class);
        try (var broker = (AutoCloseable) factory.newInstance("tcp://127.0.0.1:" + port)) {
            var check = new BrokerCheck();
            check.broker = (ConnectionFactory) broker;

            assertThat(check.lack())
                    .hasValueSatisfying(why -> assertThat(why).contains("session factory"));
        }
    }

    private static Path client() throws Exception {
        try (var servers = Files.newDirectoryStream(Path.of("target"), "wildfly-*.Final")) {
            return servers.iterator().next().resolve("bin/client/jboss-client.jar");
        }
    }
}
