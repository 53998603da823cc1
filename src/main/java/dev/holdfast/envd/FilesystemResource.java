package dev.holdfast.envd;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletionStage;

/** The Connect service {@code filesystem.Filesystem}. */
@Path("/filesystem.Filesystem")
public class FilesystemResource {

    private static final String UNARY = "application/json";
    private static final String STREAM = "application/connect+json";
    private static final int DEEPEST = 64;

    @POST
    @Path("/Stat")
    @Consumes(UNARY)
    public CompletionStage<Response> stat(InputStream body) throws IOException {
        Call call = Call.current();
        String path = Call.unary(body).text("path");
        return Answers.unary(call, call.agent().stat(path, call.user()), FileMessages::entry);
    }

    @POST
    @Path("/MakeDir")
    @Consumes(UNARY)
    public CompletionStage<Response> makeDir(InputStream body) throws IOException {
        Call call = Call.current();
        String path = Call.unary(body).text("path");
        return Answers.unary(
                call, call.agent().makeDirectory(path, call.user()), FileMessages::entry);
    }

    @POST
    @Path("/Move")
    @Consumes(UNARY)
    public CompletionStage<Response> move(InputStream body) throws IOException {
        Call call = Call.current();
        Message request = Call.unary(body);
        return Answers.unary(
                call,
                call.agent().move(request.text("source"), request.text("destination"), call.user()),
                FileMessages::entry);
    }

    @POST
    @Path("/ListDir")
    @Consumes(UNARY)
    public CompletionStage<Response> listDir(InputStream body) throws IOException {
        Call call = Call.current();
        Message request = Call.unary(body);
        long asked = request.number("depth").orElse(0);
        if (asked < 0) {
            throw ConnectError.invalid("the depth is not negative");
        }
        int depth = asked == 0 ? 1 : (int) Math.min(asked, DEEPEST);
        return Answers.unary(
                call,
                call.agent().list(request.text("path"), call.user(), depth),
                FileMessages::entries);
    }

    @POST
    @Path("/Remove")
    @Consumes(UNARY)
    public CompletionStage<Response> remove(InputStream body) throws IOException {
        Call call = Call.current();
        String path = Call.unary(body).text("path");
        return Answers.empty(call, call.agent().remove(path, call.user()));
    }

    @POST
    @Path("/WatchDir")
    @Consumes(STREAM)
    public CompletionStage<Response> watchDir(InputStream body) {
        return Answers.stream(
                Call.current(),
                () -> {
                    throw unwatched();
                });
    }

    @POST
    @Path("/{watcher: CreateWatcher|GetWatcherEvents|RemoveWatcher}")
    @Consumes(UNARY)
    public Response watcher(InputStream body) {
        throw unwatched();
    }

    private static ConnectError unwatched() {
        return new ConnectError(
                ConnectCode.UNIMPLEMENTED, "this server does not watch directories yet");
    }
}
