package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jboss.resteasy.spi.AsyncOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacedAnswerTest {

    /** As the pool of threads that read volumes refuses when it is full. */
    private static final class Refusing implements PacedAnswer.Source {

        private final CountDownLatch cancelled = new CountDownLatch(1);
        private boolean asked;

        @Override
        public CompletionStage<Optional<ByteBuffer>> next() {
            if (asked) {
                throw new RejectedExecutionException("no thread is free");
            }
            asked = true;
            return CompletableFuture.completedStage(Optional.of(ByteBuffer.allocate(200_000)));
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }
    }

    private static final class Taking extends AsyncOutputStream {

        @Override
        public CompletionStage<Void> asyncFlush() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<Void> asyncWrite(byte[] bytes, int offset, int length) {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void write(int each) {}
    }

    @Test
    void aSourceThatRefusesInTheMiddleIsLetGoOfAndItsClientToldByAReset() throws Exception {
        var source = new Refusing();
        Undertow server =
                Undertow.builder()
                        .addHttpListener(0, "127.0.0.1")
                        .setHandler(exchange -> exchange.dispatch(() -> answer(exchange, source)))
                        .build();
        server.start();
        try {
            int port = ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).build();
            assertThatThrownBy(
                            () ->
                                    HttpClient.newHttpClient()
                                            .send(request, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
            assertThat(source.cancelled.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            server.stop();
        }
    }

    /** The exchange stays open, as that of an answer that grows. */
    private static void answer(HttpServerExchange exchange, PacedAnswer.Source source) {
        EventStream answer = PacedAnswer.of(exchange, source);
        answer.asyncWrite(new Taking());
    }
}
