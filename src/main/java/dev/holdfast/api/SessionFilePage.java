package dev.holdfast.api;

import dev.holdfast.workbench.SessionFile;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What is in a directory of a session, by name.
 *
 * @param next what to give as {@code after} for the page behind it; absent on the last one
 */
@Schema(
        name = "SessionFilePage",
        requiredProperties = {"files"})
public record SessionFilePage(List<SessionFileView> files, String next) {

    /** See {@link SessionFile}. */
    @Schema(
            name = "SessionFile",
            requiredProperties = {"name", "path", "type", "size", "modifiedAt"})
    public record SessionFileView(
            @Schema(examples = "notes.txt") String name,
            @Schema(examples = "/home/user/notes.txt") String path,
            @Schema(enumeration = {"file", "directory", "symlink", "other"}) String type,
            long size,
            Instant modifiedAt,
            String target) {

        static SessionFileView of(SessionFile file) {
            return new SessionFileView(
                    file.name(),
                    file.path(),
                    file.type(),
                    file.size(),
                    file.modifiedAt(),
                    file.target().orElse(null));
        }
    }

    static SessionFilePage of(SessionFile.Page page) {
        return new SessionFilePage(
                page.files().stream().map(SessionFileView::of).toList(), page.next().orElse(null));
    }
}
