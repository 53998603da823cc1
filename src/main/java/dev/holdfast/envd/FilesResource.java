package dev.holdfast.envd;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The content of files. */
@Path("/files")
public class FilesResource {

    @GET
    public CompletionStage<Response> read(
            @QueryParam("path") String path, @QueryParam("username") String username) {
        Call call = Call.current();
        ReadTerms terms = ReadTerms.of(call.exchange().getRequestHeaders());
        return OutgoingFile.answer(call, named(path), user(username), terms);
    }

    @HEAD
    public CompletionStage<Response> look(
            @QueryParam("path") String path, @QueryParam("username") String username) {
        return OutgoingFile.head(Call.current(), named(path), user(username));
    }

    @POST
    public void write(
            @QueryParam("path") String path,
            @QueryParam("username") String username,
            @Context HttpServletRequest servlet,
            @Suspended AsyncResponse response)
            throws IOException {
        Call call = Call.current();
        IncomingFiles.receive(
                call,
                () -> UploadRequest.of(call.exchange().getRequestHeaders(), path, username),
                servlet.getInputStream(),
                response);
    }

    private static String named(String path) {
        if (path == null || path.isEmpty()) {
            throw new RestError(400, "query parameter 'path' is missing");
        }
        return path;
    }

    private static Optional<String> user(String name) {
        return Optional.ofNullable(name).filter(n -> !n.isEmpty());
    }
}
