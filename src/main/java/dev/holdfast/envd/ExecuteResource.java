package dev.holdfast.envd;

import jakarta.enterprise.inject.Vetoed;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.concurrent.CompletionStage;

/** Runs code and answers with what it says, line by line. */
@Vetoed // the application makes it, with what it keeps
@Path("/execute")
public class ExecuteResource {

    private final Executions executions;
    private final Clock clock = Clock.systemUTC();

    ExecuteResource(Executions executions) {
        this.executions = executions;
    }

    @POST
    public CompletionStage<Response> execute(InputStream body) throws IOException {
        Call call = Call.current();
        if (!call.visit().isProved()) {
            throw new RestError(401, "running code needs the access token of the sandbox");
        }
        var order = ExecutionMessages.order(Call.unary(body));
        var contexts = call.agent().contexts();
        var sandbox = call.visit().sandbox();
        executions.enter(sandbox);
        var answer = new ExecutionAnswer(call, clock, () -> executions.leave(sandbox));
        answer.follows(contexts.execute(order, answer));
        return answer.response();
    }
}
