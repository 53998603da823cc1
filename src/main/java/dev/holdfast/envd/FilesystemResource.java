package dev.holdfast.envd;

import jakarta.enterprise.inject.Vetoed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The Connect service {@code filesystem.Filesystem}. */
@Vetoed // the application makes it, with what it keeps
@Path("/filesystem.Filesystem")
public class FilesystemResource {

    private static final String UNARY = "application/json";
    private static final String STREAM = "application/connect+json";
    private static final int DEEPEST = 64;

    private final Watchers watchers;

    FilesystemResource(Watchers watchers) {
        this.watchers = watchers;
    }

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
                call.agent()
                        .move(named(request, "source"), named(request, "destination"), call.user()),
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
        String path = named(Call.unary(body), "path");
        return Answers.empty(call, call.agent().remove(path, call.user()));
    }

    /** Elsewhere no path means the home directory; nobody wants to lose that by saying nothing. */
    private static String named(Message request, String member) {
        return request.optionalText(member)
                .filter(path -> !path.isEmpty())
                .orElseThrow(() -> ConnectError.invalid("member '" + member + "' is missing"));
    }

    @POST
    @Path("/WatchDir")
    @Consumes(STREAM)
    public CompletionStage<Response> watchDir(InputStream body) {
        Call call = Call.current();
        return Answers.stream(
                call,
                () -> {
                    WatchOrder order = WatchOrder.of(Call.enveloped(body));
                    var stream = new DirectoryStream(call, call.terms());
                    stream.follows(order.begin(call, stream));
                    return stream.response();
                });
    }

    @POST
    @Path("/CreateWatcher")
    @Consumes(UNARY)
    public CompletionStage<Response> createWatcher(InputStream body) throws IOException {
        Call call = Call.current();
        WatchOrder order = WatchOrder.of(Call.unary(body));
        return Answers.unary(call, watchers.create(call, order), FileMessages::watcher);
    }

    @POST
    @Path("/GetWatcherEvents")
    @Consumes(UNARY)
    public CompletionStage<Response> watcherEvents(InputStream body) throws IOException {
        Call call = Call.current();
        Watcher watcher = watchers.find(call, Call.unary(body).text("watcherId"));
        return Answers.unary(call, watcher.fetch(), FileMessages::events);
    }

    @POST
    @Path("/RemoveWatcher")
    @Consumes(UNARY)
    public CompletionStage<Response> removeWatcher(InputStream body) throws IOException {
        Call call = Call.current();
        watchers.remove(call, Call.unary(body).text("watcherId"));
        return Answers.empty(call, CompletableFuture.completedFuture(null));
    }
}
