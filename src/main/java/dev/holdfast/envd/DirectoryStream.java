package dev.holdfast.envd;

import dev.holdfast.agent.AgentException;
import dev.holdfast.agent.FileEvent;
import dev.holdfast.agent.WatchEvents;
import dev.holdfast.agent.WatchStream;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletionStage;

/** What a client sees of a watched directory, until it leaves or its deadline passes. */
final class DirectoryStream implements WatchEvents {

    private final StreamedCall stream;

    DirectoryStream(Call call, CallTerms terms) {
        this.stream = new StreamedCall(call, terms, FileMessages.keepalive(), () -> {});
    }

    /** Tells where the events come from; they may have begun to come. */
    void follows(WatchStream watch) {
        stream.follows(
                new StreamedCall.Source() {
                    @Override
                    public void consumed(int cost) {
                        watch.consumed(cost);
                    }

                    @Override
                    public void leave() {
                        watch.close();
                    }
                });
    }

    CompletionStage<Response> response() {
        return stream.response();
    }

    @Override
    public void onStarted() {
        if (!stream.begin(FileMessages.watching())) {
            stream.leave();
        }
    }

    @Override
    public void onEvent(FileEvent event, int cost) {
        stream.send(FileMessages.happened(event), cost);
    }

    @Override
    public void onError(AgentException failure) {
        stream.fail(failure);
    }
}
