package dev.holdfast.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Begins steps, and sends those that ended to the collector if there is one. */
@ApplicationScoped
public class Traces {

    private static final Logger LOG = Logger.getLogger(Traces.class);

    private static final String SCOPE = "dev.holdfast";
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> QUEUE =
            AttributeKey.stringKey("messaging.destination.name");

    private static final int FLAGS = 53;

    @Inject
    @ConfigProperty(name = "holdfast.telemetry.endpoint")
    Optional<Collector> collector;

    @Inject
    @ConfigProperty(name = "holdfast.worker.id", defaultValue = "worker-1")
    String node;

    private Optional<SdkTracerProvider> sending = Optional.empty();
    private Tracer tracer = OpenTelemetry.noop().getTracer(SCOPE);

    @PostConstruct
    void start() {
        sending = collector.map(this::sendTo);
        sending.ifPresent(provider -> tracer = provider.get(SCOPE));
    }

    /** What has ended and was not sent yet is sent, if that is soon done. */
    @PreDestroy
    void stop() {
        sending.ifPresent(
                provider -> provider.shutdown().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** A request from outside, which may be part of something larger; it is on no thread yet. */
    public Step request(Trail trail, String method) {
        return begin(trail, method, SpanKind.SERVER, Attributes.empty());
    }

    /** Part of what this thread does. */
    public Step step(String name) {
        return begin(Trail.here(), name, SpanKind.INTERNAL, Attributes.empty()).enter();
    }

    /** The handing over of work through a queue. */
    public Step send(String queue) {
        return begin(Trail.here(), "send " + queue, SpanKind.PRODUCER, messaging(queue)).enter();
    }

    /** Work that was handed over through a queue. */
    public Step taken(String queue, Trail trail) {
        return begin(trail, "process " + queue, SpanKind.CONSUMER, messaging(queue)).enter();
    }

    private static Attributes messaging(String queue) {
        return Attributes.of(SYSTEM, "activemq", QUEUE, queue);
    }

    private Step begin(Trail trail, String name, SpanKind kind, Attributes attributes) {
        if (sending.isEmpty()) {
            return Step.of(Span.getInvalid(), trail);
        }
        Span span =
                tracer.spanBuilder(name)
                        .setParent(parent(trail))
                        .setSpanKind(kind)
                        .setAllAttributes(attributes)
                        .startSpan();
        return Step.of(span, trail.with(Mark.TRACE, traceparent(span.getSpanContext())));
    }

    /** What is already done in the same trace; a trace of its own where nothing is. */
    private static Context parent(Trail trail) {
        return trail.get(Mark.TRACE)
                .map(Traces::contextOf)
                .filter(SpanContext::isValid)
                .map(parent -> Context.root().with(Span.wrap(parent)))
                .orElse(Context.root());
    }

    private static SpanContext contextOf(String traceparent) {
        return SpanContext.createFromRemoteParent(
                traceparent.substring(3, 35),
                traceparent.substring(36, 52),
                TraceFlags.fromHex(traceparent, FLAGS),
                TraceState.getDefault());
    }

    private static String traceparent(SpanContext context) {
        return "00-%s-%s-%s"
                .formatted(
                        context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex());
    }

    private SdkTracerProvider sendTo(Collector where) {
        LOG.infof("Spans are sent to %s", where.traces());
        return SdkTracerProvider.builder()
                .setResource(
                        Resource.create(
                                Attributes.of(
                                        AttributeKey.stringKey("service.name"),
                                        "holdfast",
                                        AttributeKey.stringKey("service.instance.id"),
                                        node)))
                // Whoever began a trace elsewhere has decided whether it is kept.
                .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                .addSpanProcessor(
                        BatchSpanProcessor.builder(
                                        OtlpHttpSpanExporter.builder()
                                                .setEndpoint(where.traces())
                                                .setTimeout(PATIENCE)
                                                .build())
                                .setScheduleDelay(DELAY)
                                .build())
                .build();
    }
}
