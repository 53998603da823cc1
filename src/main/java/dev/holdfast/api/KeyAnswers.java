package dev.holdfast.api;

import dev.holdfast.access.ApiKey;
import dev.holdfast.access.ApiKeyId;
import dev.holdfast.access.Caller;
import dev.holdfast.access.Grantor;
import dev.holdfast.access.IssuedKey;
import dev.holdfast.access.KeyOrder;
import dev.holdfast.access.KeyQuery;
import dev.holdfast.access.Keys;
import dev.holdfast.access.Permission;
import dev.holdfast.access.ProjectId;
import dev.holdfast.database.DatabaseTime;
import dev.holdfast.problem.Problem;
import dev.holdfast.problem.Reason;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonValue;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is done with keys, the same for those of a project and those of the service. */
@RequestScoped
public class KeyAnswers {

    @Inject Caller caller;
    @Inject DatabaseTime time;
    @Inject Keys keys;

    KeyPage list(Optional<ProjectId> project, String state, String limit, String after) {
        int most = Cursor.limit(limit);
        List<ApiKey> found =
                keys.list(
                        project,
                        new KeyQuery(
                                standing(state), Cursor.after(after, KeyAnswers::place), most + 1));
        List<ApiKey> page = found.stream().limit(most).toList();
        Instant now = time.now();
        return new KeyPage(
                page.stream().map(key -> KeyView.of(key, now)).toList(),
                found.size() > most ? cursor(page.get(most - 1)).token() : null);
    }

    Response get(Optional<ProjectId> project, String id) {
        return view(found(id, ApiKeyId.read(id).flatMap(key -> keys.find(project, key))));
    }

    Response issue(Optional<ProjectId> project, String address, JsonValue body) {
        Grantor grantor = caller.grantor();
        Set<Permission> usual =
                project.isPresent() ? grantor.usual() : Set.of(Permission.SERVICE_ADMIN);
        IssuedKey issued =
                keys.issue(KeyOrder.of(project, KeyRequest.of(body).fresh(usual)), grantor);
        return Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, address + "/" + issued.key().id())
                .entity(KeyView.of(issued, time.now()))
                .build();
    }

    Response change(Optional<ProjectId> project, String id, String ifMatch, JsonValue body) {
        KeyRequest change = KeyRequest.of(body);
        return view(
                found(
                        id,
                        ApiKeyId.read(id)
                                .flatMap(
                                        key ->
                                                keys.change(
                                                        project,
                                                        key,
                                                        change,
                                                        caller.grantor(),
                                                        Tags.version(ifMatch)))));
    }

    void revoke(Optional<ProjectId> project, String id) {
        found(id, ApiKeyId.read(id).flatMap(key -> keys.revoke(project, key, caller.principal())));
    }

    private Response view(ApiKey key) {
        return Response.ok(KeyView.of(key, time.now())).tag(Tags.of(key.version())).build();
    }

    private static ApiKey found(String id, Optional<ApiKey> key) {
        return key.orElseThrow(
                () ->
                        new Problem(
                                Reason.KEY_NOT_FOUND,
                                "There is no key \"" + id + "\" here. Its list has their IDs."));
    }

    private static KeyQuery.Standing standing(String word) {
        return switch (word == null || word.isEmpty() ? "live" : word) {
            case "live" -> KeyQuery.Standing.LIVE;
            case "revoked" -> KeyQuery.Standing.REVOKED;
            case "all" -> KeyQuery.Standing.ALL;
            default -> throw Problem.invalid("state", "\"state\" is live, revoked or all.");
        };
    }

    private static Optional<KeyQuery.Place> place(Cursor cursor) {
        return ApiKeyId.read(cursor.id()).map(id -> new KeyQuery.Place(cursor.at(), id));
    }

    private static Cursor cursor(ApiKey key) {
        return new Cursor(key.createdAt(), key.id().toString());
    }
}
