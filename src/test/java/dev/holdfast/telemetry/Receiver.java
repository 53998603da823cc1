package dev.holdfast.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** Takes spans as a collector does: OTLP over HTTP, in protobuf. */
public final class Receiver implements AutoCloseable {

    /** A span that was told, by whom. */
    public record Told(String service, String node, Span span) {

        public String trace() {
            return HexFormat.of().formatHex(span.getTraceId().toByteArray());
        }

        public String id() {
            return HexFormat.of().formatHex(span.getSpanId().toByteArray());
        }

        /** Empty if it has none. */
        public String parent() {
            return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
        }

        public String name() {
            return span.getName();
        }

        public String attribute(String name) {
            return span.getAttributesList().stream()
                    .filter(each -> each.getKey().equals(name))
                    .map(
                            each ->
                                    each.getValue().hasIntValue()
                                            ? Long.toString(each.getValue().getIntValue())
                                            : each.getValue().getStringValue())
                    .findFirst()
                    .orElse("");
        }
    }

    private final List<Told> told = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    public Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    public List<Told> told() {
        return List.copyOf(told);
    }

    public List<Told> ofTrace(String trace) {
        return told.stream().filter(each -> each.trace().equals(trace)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void take(HttpExchange call) throws IOException {
        try (call) {
            boolean packed = "gzip".equals(call.getRequestHeaders().getFirst("Content-Encoding"));
            try (InputStream body =
                    packed ? new GZIPInputStream(call.getRequestBody()) : call.getRequestBody()) {
                read(ExportTraceServiceRequest.parseFrom(body));
            }
            call.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            call.sendResponseHeaders(200, -1);
        }
    }

    private void read(ExportTraceServiceRequest request) {
        for (var resource : request.getResourceSpansList()) {
            String service = "";
            String node = "";
            for (var each : resource.getResource().getAttributesList()) {
                switch (each.getKey()) {
                    case "service.name" -> service = each.getValue().getStringValue();
                    case "service.instance.id" -> node = each.getValue().getStringValue();
                    default -> {
                        // Nobody asks.
                    }
                }
            }
            for (var scope : resource.getScopeSpansList()) {
                for (var span : scope.getSpansList()) {
                    told.add(new Told(service, node, span));
                }
            }
        }
    }
}
