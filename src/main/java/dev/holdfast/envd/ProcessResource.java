package dev.holdfast.envd;

import dev.holdfast.agent.ProcessRef;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/** The Connect service {@code process.Process}. */
@Path("/process.Process")
public class ProcessResource {

    private static final String UNARY = "application/json";
    private static final String STREAM = "application/connect+json";

    @POST
    @Path("/Start")
    @Consumes(STREAM)
    public CompletionStage<Response> start(InputStream body) {
        Call call = Call.current();
        return Answers.stream(
                call,
                () -> {
                    var start = ProcessMessages.start(Call.enveloped(body), call.user());
                    var stream = new CommandStream(call, call.terms(), true);
                    stream.follows(call.agent().start(start, stream));
                    return stream.response();
                });
    }

    @POST
    @Path("/Connect")
    @Consumes(STREAM)
    public CompletionStage<Response> connect(InputStream body) {
        Call call = Call.current();
        return Answers.stream(
                call,
                () -> {
                    ProcessRef which = ProcessMessages.which(Call.enveloped(body));
                    var stream = new CommandStream(call, call.terms(), false);
                    stream.follows(call.agent().attach(which, stream));
                    return stream.response();
                });
    }

    @POST
    @Path("/List")
    @Consumes(UNARY)
    public CompletionStage<Response> list(InputStream body) throws IOException {
        Call call = Call.current();
        Call.unary(body);
        return Answers.unary(call, call.agent().processes(), ProcessMessages::list);
    }

    @POST
    @Path("/SendInput")
    @Consumes(UNARY)
    public CompletionStage<Response> sendInput(InputStream body) throws IOException {
        Call call = Call.current();
        Message request = Call.unary(body);
        ProcessMessages.Input input = ProcessMessages.input(request);
        ProcessRef which = ProcessMessages.which(request);
        ByteBuffer content = ByteBuffer.wrap(input.bytes());
        return Answers.empty(
                call,
                Failures.closedInput(
                        input.terminal()
                                ? call.agent().type(which, content)
                                : call.agent().input(which, content)));
    }

    @POST
    @Path("/StreamInput")
    @Consumes(STREAM)
    public void streamInput(@Context HttpServletRequest servlet, @Suspended AsyncResponse response)
            throws IOException {
        StreamedInput.receive(Call.current(), servlet.getInputStream(), response);
    }

    @POST
    @Path("/CloseStdin")
    @Consumes(UNARY)
    public CompletionStage<Response> closeStdin(InputStream body) throws IOException {
        Call call = Call.current();
        ProcessRef which = ProcessMessages.which(Call.unary(body));
        return Answers.empty(call, Failures.closedInput(call.agent().closeStdin(which)));
    }

    @POST
    @Path("/SendSignal")
    @Consumes(UNARY)
    public CompletionStage<Response> sendSignal(InputStream body) throws IOException {
        Call call = Call.current();
        Message request = Call.unary(body);
        return Answers.empty(
                call,
                call.agent()
                        .signal(ProcessMessages.which(request), ProcessMessages.signal(request)));
    }

    @POST
    @Path("/Update")
    @Consumes(UNARY)
    public CompletionStage<Response> update(InputStream body) throws IOException {
        Call call = Call.current();
        Message request = Call.unary(body);
        Message pty =
                request.message("pty").orElseThrow(() -> ConnectError.invalid("nothing to update"));
        return Answers.empty(
                call,
                call.agent().resize(ProcessMessages.which(request), ProcessMessages.terminal(pty)));
    }
}
