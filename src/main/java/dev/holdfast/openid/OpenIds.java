package dev.holdfast.openid;

import dev.holdfast.access.Grants;
import dev.holdfast.access.Permission;
import dev.holdfast.access.Principal;
import dev.holdfast.access.Project;
import dev.holdfast.access.ProjectId;
import dev.holdfast.access.Projects;
import dev.holdfast.audit.Action;
import dev.holdfast.audit.Deed;
import dev.holdfast.audit.Origin;
import dev.holdfast.audit.Origins;
import dev.holdfast.audit.Outcome;
import dev.holdfast.audit.Refusals;
import dev.holdfast.audit.Subject;
import dev.holdfast.console.Arrival;
import dev.holdfast.console.ConsoleConfig;
import dev.holdfast.console.Offer;
import dev.holdfast.console.SignInCookie;
import dev.holdfast.console.SignIns;
import dev.holdfast.problem.Reason;
import jakarta.annotation.security.PermitAll;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Persons come into the console on the word of an OpenID provider. */
@Stateless
@PermitAll
public class OpenIds {

    /** What rights come to: the projects they are in, and those that are none. */
    private record Reach(Grants grants, Set<String> strange) {}

    @Inject OpenIdConfig config;
    @Inject ConsoleConfig console;
    @Inject SignInCookie cookie;
    @Inject Offer offer;
    @Inject Origins origins;
    @Inject Projects projects;
    @Inject Refusals refusals;
    @Inject SignIns signIns;

    /**
     * The door stands there from now on.
     *
     * @throws IllegalArgumentException if the operator's mapping is malformed
     * @throws IllegalStateException if no provider is set, or this node has no console to come into
     */
    public void open(String address) {
        if (!console.isServed()) {
            throw new IllegalStateException("This node has no console (HOLDFAST_CONSOLE_SERVED)");
        }
        config.requireProvider();
        config.mapping();
        offer.make(
                new Offer.OpenId(
                        config.name(), address + "?scope=" + Farewell.encoded(config.scopes())));
    }

    /** It is taken away. */
    public void close() {
        offer.withdraw();
    }

    /**
     * Somebody stands at it.
     *
     * @param idToken what the provider says of them, verified
     * @param endSession where the provider hears that they have left; null if nowhere
     */
    public Entry enter(String idToken, String endSession, HttpServletRequest request) {
        Claims claims = Claims.of(idToken);
        Duration left = Duration.between(Instant.now(), claims.endsAt());
        if (left.isNegative() || left.isZero()) {
            return new Entry.Late();
        }
        Optional<String> farewell =
                Farewell.address(endSession, idToken, config.clientId(), home(request));
        Reach reach = reach(config.mapping().of(claims.roles(config.claim())).rights());
        Origin origin =
                origins.of(
                        request,
                        Principal.person(claims.subject()).text(),
                        claims.name(),
                        reach.grants().ofService());
        if (reach.grants().isEmpty()) {
            return refused(claims, reach, farewell, origin);
        }
        var arrival = new Arrival(claims.subject(), claims.name(), reach.grants(), left, farewell);
        var secret = origin.during(() -> signIns.begin(arrival, config.longest()));
        return new Entry.Admitted(cookie.set(request, secret));
    }

    private Entry refused(Claims claims, Reach reach, Optional<String> farewell, Origin origin) {
        refusals.tell(
                Deed.of(Action.CONSOLE_SIGN_IN, new Subject("person", claims.subject()))
                        .by(origin.principal()),
                origin,
                Outcome.REFUSED,
                Reason.PERMISSION_MISSING.word());
        return new Entry.Stranger(
                config.name(),
                claims.name(),
                config.claim(),
                claims.roles(config.claim()),
                List.copyOf(reach.strange()),
                farewell);
    }

    private Reach reach(Set<Right> rights) {
        Map<ProjectId, Set<Permission>> found = new LinkedHashMap<>();
        Set<String> strange = new LinkedHashSet<>();
        for (Right right : rights) {
            right.project().ifPresent(named -> place(right.permission(), named, found, strange));
        }
        boolean service = rights.stream().anyMatch(each -> each.project().isEmpty());
        return new Reach(new Grants(found, service), strange);
    }

    private void place(
            Permission permission,
            String named,
            Map<ProjectId, Set<Permission>> found,
            Set<String> strange) {
        Optional<ProjectId> project =
                projects.named(named).filter(each -> !each.isClosed()).map(Project::id);
        if (project.filter(id -> found.containsKey(id) || found.size() < Grants.MOST).isEmpty()) {
            strange.add(named);
            return;
        }
        found.computeIfAbsent(project.get(), each -> EnumSet.noneOf(Permission.class))
                .add(permission);
    }

    /** The console at the origin at which the browser sees it. */
    private static String home(HttpServletRequest request) {
        return URI.create(request.getRequestURL().toString()).resolve("/console/").toString();
    }
}
