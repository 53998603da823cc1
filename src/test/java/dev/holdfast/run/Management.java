package dev.holdfast.run;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jboss.as.controller.client.ModelControllerClient;
import org.jboss.dmr.ModelNode;

/** What an operator does through WildFly's management, as the CLI does it. */
public final class Management implements AutoCloseable {

    /** How a run of a job ended. */
    public record Run(String status, String found) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ModelControllerClient client;

    public Management(LocalServer server) throws IOException {
        var address = server.management();
        client =
                ModelControllerClient.Factory.create(
                        "remote+http", address.getHost(), address.getPort());
    }

    /** Runs a job to its end. */
    public Run job(String name, Map<String, String> parameters)
            throws IOException, InterruptedException {
        return job(name, parameters, PATIENCE);
    }

    /** Runs a job to its end, which may take so long. */
    public Run job(String name, Map<String, String> parameters, Duration patience)
            throws IOException, InterruptedException {
        var start = operation("start-job", jobs());
        start.get("job-xml-name").set(name);
        parameters.forEach((key, value) -> start.get("properties", key).set(value));
        var execution = jobs();
        execution.add("job", name);
        execution.add("execution", execute(start).asString());
        var end = Instant.now().plus(patience);
        for (; ; ) {
            var read = operation("read-resource", execution);
            read.get("include-runtime").set(true);
            // It is listed a little after its start, and its listeners come after its last status.
            var found = client.execute(read).get("result");
            if (found.hasDefined("end-time")) {
                return new Run(
                        found.get("batch-status").asString(), found.get("exit-status").asString());
            }
            if (Instant.now().isAfter(end)) {
                throw new AssertionError(name + " does not end: " + found);
            }
            Thread.sleep(50);
        }
    }

    /** The bytes that are still in use after a collection. */
    public long liveHeap() throws IOException {
        var memory = new ModelNode();
        memory.add("core-service", "platform-mbean");
        memory.add("type", "memory");
        execute(operation("gc", memory));
        var read = operation("read-attribute", memory);
        read.get("name").set("heap-memory-usage");
        return execute(read).get("used").asLong();
    }

    /** Lets nobody take messages from a queue, or lets them again. */
    public void pauseQueue(String name, boolean paused) throws IOException {
        execute(operation(paused ? "pause" : "resume", queue(name)));
    }

    /** How many messages wait in a queue or are being taken. */
    public long messages(String queue) throws IOException {
        return execute(operation("count-messages", queue(queue))).asLong();
    }

    /** How many of a queue's messages fit a selector. */
    public long messages(String queue, String filter) throws IOException {
        var count = operation("count-messages", queue(queue));
        count.get("filter").set(filter);
        return execute(count).asLong();
    }

    /** Forgets messages that nobody will ever take. */
    public void removeMessages(String queue, String filter) throws IOException {
        var remove = operation("remove-messages", queue(queue));
        remove.get("filter").set(filter);
        execute(remove);
    }

    /**
     * Lets the time of messages be over, of those that have one.
     *
     * @return of how many it is
     */
    public int expireMessages(String queue, String filter) throws IOException {
        var list = operation("list-messages", queue(queue));
        list.get("filter").set(filter);
        int limited = 0;
        for (var message : execute(list).asList()) {
            limited += message.get("JMSExpiration").asLong(0) > 0 ? 1 : 0;
        }
        var expire = operation("expire-messages", queue(queue));
        expire.get("filter").set(filter);
        execute(expire);
        return limited;
    }

    /** Whether a listener of the application is handed messages. */
    public boolean takes(String listener) throws IOException {
        var bean = new ModelNode();
        bean.add("deployment", "holdfast.war");
        bean.add("subsystem", "ejb3");
        bean.add("message-driven-bean", listener);
        var read = operation("read-attribute", bean);
        read.get("name").set("delivery-active");
        return execute(read).asBoolean();
    }

    /** Stops the broker alone; it comes back by a reload. */
    public void stopBroker() throws IOException {
        execute(operation("force-failover", broker()));
    }

    /** Has the server stop all it runs and start it again, in the same process. */
    public void reload() throws IOException {
        execute(operation("reload", new ModelNode().setEmptyList()));
    }

    /** Lets nothing more in, as a server does that is about to stop, or goes on. */
    public void suspend(boolean suspended) throws IOException {
        execute(
                operation(
                        suspended ? "suspend" : "resume", new ModelNode().setEmptyList()));
    }

    /** Lets a part of the server write its finer lines too, or no longer. */
    public void debug(String category, boolean on) throws IOException {
        var logger = new ModelNode();
        logger.add("subsystem", "logging");
        logger.add("logger", category);
        var change = operation(on ? "add" : "remove", logger);
        if (on) {
            change.get("level").set("DEBUG");
        }
        execute(change);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    private static ModelNode broker() {
        var address = new ModelNode();
        address.add("subsystem", "messaging-activemq");
        address.add("server", "default");
        return address;
    }

    private static ModelNode queue(String name) {
        return broker().add("jms-queue", name);
    }

    private static ModelNode jobs() {
        var address = new ModelNode();
        address.add("deployment", "holdfast.war");
        address.add("subsystem", "batch-jberet");
        return address;
    }

    private static ModelNode operation(String name, ModelNode address) {
        var operation = new ModelNode();
        operation.get("operation").set(name);
        operation.get("address").set(address);
        return operation;
    }

    private ModelNode execute(ModelNode operation) throws IOException {
        var answer = client.execute(operation);
        if (!answer.get("outcome").asString().equals("success")) {
            throw new IOException(operation + " is refused: " + answer.get("failure-description"));
        }
        return answer.get("result");
    }
}
