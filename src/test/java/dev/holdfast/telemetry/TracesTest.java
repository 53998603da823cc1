package dev.holdfast.telemetry;

import static dev.holdfast.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracesTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

    private final Traces traces = new Traces();

    @AfterEach
    void leavesNothing() {
        traces.stop();
        assertThat(Trail.here()).isEqualTo(Trail.empty());
    }

    private void start(Optional<Collector> collector) {
        traces.collector = collector;
        traces.node = "worker-7";
        traces.start();
    }

    @Test
    void tellsTheCollectorWhatWasPartOfWhat() throws Exception {
        try (var receiver = new Receiver()) {
            start(Optional.of(new Collector(receiver.address())));
            var caller = Trail.empty().with(Mark.TRACE, PARENT).with(Mark.REQUEST, "r-1");
            var request = traces.request(caller, "POST").named("POST /snapshots");
            try (var here = request.trail().open();
                    var sent = traces.send("holdfast.capture")) {
                try (var taken = traces.taken("holdfast.capture", sent.trail());
                        var step = traces.step("seal")) {
                    Trail.mark(Mark.UPLOAD, "u-1");
                    step.failed(new IllegalStateException("the words stay in the log"));
                }
            }
            request.end();
            traces.stop();

            await("all are told", receiver::told, told -> told.size() == 4);
            var told =
                    receiver.told().stream()
                            .collect(Collectors.toMap(Receiver.Told::name, each -> each));
            assertThat(told.values())
                    .allSatisfy(
                            each -> {
                                assertThat(each.trace()).isEqualTo(TRACE);
                                assertThat(each.service()).isEqualTo("holdfast");
                                assertThat(each.node()).isEqualTo("worker-7");
                            });
            var server = told.get("POST /snapshots");
            var producer = told.get("send holdfast.capture");
            var consumer = told.get("process holdfast.capture");
            var step = told.get("seal");
            assertThat(server.parent()).isEqualTo("00f067aa0ba902b7");
            assertThat(producer.parent()).isEqualTo(server.id());
            assertThat(consumer.parent()).isEqualTo(producer.id());
            assertThat(step.parent()).isEqualTo(consumer.id());
            assertThat(server.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_SERVER);
            assertThat(producer.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_PRODUCER);
            assertThat(consumer.span().getKind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
            assertThat(step.attribute("holdfast.upload")).isEqualTo("u-1");
            assertThat(step.attribute("holdfast.requestId")).isEqualTo("r-1");
            assertThat(step.attribute("error.type")).isEqualTo("IllegalStateException");
            assertThat(step.span().getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
            assertThat(step.span().toString()).doesNotContain("the words");
        }
    }

    @Test
    void keepsOutOfTheCollectorWhatTheCallersTraceKeepsOut() throws Exception {
        try (var receiver = new Receiver()) {
            start(Optional.of(new Collector(receiver.address())));
            var unwanted = Trail.empty().with(Mark.TRACE, PARENT.replaceAll("01$", "00"));
            traces.request(unwanted, "GET").end();
            var own = traces.request(Trail.empty(), "GET");
            own.end();
            traces.stop();

            await("one is told", receiver::told, told -> !told.isEmpty());
            assertThat(receiver.told())
                    .singleElement()
                    .satisfies(
                            told ->
                                    assertThat(own.trail().get(Mark.TRACE))
                                            .contains(
                                                    "00-%s-%s-01"
                                                            .formatted(told.trace(), told.id())));
        }
    }

    @Test
    void leavesATrailAsItIsWhereThereIsNoCollector() {
        start(Optional.empty());
        var caller = Trail.empty().with(Mark.TRACE, PARENT);

        assertThat(traces.request(caller, "GET").trail()).isEqualTo(caller);
        assertThat(traces.request(Trail.empty(), "GET").trail()).isEqualTo(Trail.empty());
        try (var here = caller.open();
                var step = traces.step("seal")) {
            assertThat(Trail.here()).isEqualTo(caller);
        }
    }

    @Test
    void takesTheBaseAddressOrTheWholeOne() {
        for (var text :
                new String[] {"http://c:4318", " http://c:4318/ ", "http://c:4318/v1/traces"}) {
            assertThat(Collector.of(text).traces()).isEqualTo("http://c:4318/v1/traces");
        }
        assertThat(Collector.of("https://c/otlp").traces()).isEqualTo("https://c/otlp/v1/traces");
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "grpc://collector:4317", "http:///v1/traces", "4318"})
    void refusesWhatIsNoAddressOfACollector(String text) {
        assertThatThrownBy(() -> Collector.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as http://collector:4318");
    }
}
