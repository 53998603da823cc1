package dev.holdfast.api;

import dev.holdfast.access.AccessFilter;
import dev.holdfast.access.AuditFilter;
import dev.holdfast.problem.Edge;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.ExternalDocumentation;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeIn;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Contact;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.eclipse.microprofile.openapi.annotations.servers.Server;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Everything under {@code /api/v1}. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Holdfast",
                        version = "1",
                        description =
                                "Agent sandboxes and their snapshots. Refusals are RFC 9457 problems"
                                        + " with a stable reason. Moments are RFC 3339 in UTC, sizes"
                                        + " are bytes, durations are whole seconds unless a member's"
                                        + " name says otherwise. Members that are absent have no"
                                        + " value; new ones may come. Lists are paged: next is what"
                                        + " to give as after. Every answer carries X-Request-Id.",
                        license = @License(name = "Apache-2.0"),
                        contact = @Contact(name = "Whoever runs this installation")),
        externalDocs =
                @ExternalDocumentation(
                        description = "RFC 9457, the form of all refusals",
                        url = "https://www.rfc-editor.org/rfc/rfc9457"),
        servers = @Server(url = "/", description = "Where this document is served"),
        security = {@SecurityRequirement(name = "apiKey"), @SecurityRequirement(name = "bearer")},
        tags = {
            @Tag(name = "snapshots", description = "Save, find, change, restore, delete"),
            @Tag(name = "operations", description = "Captures under way, and what came of them"),
            @Tag(name = "sandboxes", description = "Also those that have ended"),
            @Tag(name = "sessions", description = "Sandboxes that people open in the Workbench"),
            @Tag(name = "templates", description = "What a fresh sandbox starts from"),
            @Tag(name = "volumes", description = "Directories that outlive sandboxes"),
            @Tag(name = "storage", description = "Limits, what is used of them, and by what"),
            @Tag(name = "project", description = "The caller's own"),
            @Tag(name = "keys", description = "API keys of a project"),
            @Tag(name = "audit", description = "Who did what in a project"),
            @Tag(name = "events", description = "What happened in a project"),
            @Tag(name = "webhooks", description = "Who is told what happens"),
            @Tag(name = "projects", description = "All projects, for the service"),
            @Tag(name = "service keys", description = "API keys of the service"),
            @Tag(name = "service audit", description = "Who did what in the service"),
            @Tag(name = "service events", description = "What happened anywhere"),
            @Tag(name = "workers", description = "Nodes that run sandboxes, for the service"),
            @Tag(name = "jobs", description = "Batch jobs, for the service")
        })
@SecurityScheme(
        securitySchemeName = "apiKey",
        type = SecuritySchemeType.APIKEY,
        in = SecuritySchemeIn.HEADER,
        apiKeyName = "X-API-Key")
@SecurityScheme(
        securitySchemeName = "bearer",
        type = SecuritySchemeType.HTTP,
        scheme = "bearer",
        description = "The same key")
@ApplicationPath("/api/v1")
public class ApiApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
        var classes = new HashSet<Class<?>>(Edge.providers());
        classes.add(AccessFilter.class);
        classes.add(AuditFilter.class);
        classes.add(SnapshotPageWriter.class);
        classes.addAll(resources());
        return classes;
    }

    static Set<Class<?>> resources() {
        return Set.of(
                AdminAuditResource.class,
                AdminEventsResource.class,
                AdminKeysResource.class,
                AdminProjectsResource.class,
                AuditResource.class,
                CapturePolicyResource.class,
                CapturesResource.class,
                ComparisonsResource.class,
                ContextsResource.class,
                EventsResource.class,
                FilesResource.class,
                HoldResource.class,
                KeysResource.class,
                LineageResource.class,
                JobsResource.class,
                WorkersResource.class,
                OperationsResource.class,
                PinResource.class,
                ProfilesResource.class,
                ProjectsResource.class,
                RestoreInPlaceResource.class,
                SandboxListResource.class,
                SandboxPassagesResource.class,
                UsageResource.class,
                RetentionResource.class,
                SandboxesResource.class,
                SessionFilesResource.class,
                SessionProcessesResource.class,
                SessionsResource.class,
                SnapshotsResource.class,
                StorageResource.class,
                TemplatesResource.class,
                TrashResource.class,
                VolumeFilesResource.class,
                VolumesResource.class,
                WebhooksResource.class);
    }
}
