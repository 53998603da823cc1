package dev.holdfast.gateway;

import dev.holdfast.hop.Peers;
import dev.holdfast.hop.Way;
import dev.holdfast.sandbox.SandboxId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request of the control plane is about, where that can be answered on one node only: what
 * is in a session's sandbox, and what is in a volume.
 */
sealed interface Errand {

    /** In a sandbox that runs. */
    record InSession(SandboxId id) implements Errand {
        @Override
        public Optional<SandboxId> sandbox() {
            return Optional.of(id);
        }

        @Override
        public Optional<Way> way(Peers peers) {
            return peers.of(id).map(peer -> Way.to(peer, id));
        }
    }

    /** In a volume, by ID or name. */
    record InVolume(String project, String reference) implements Errand {
        @Override
        public Optional<Way> way(Peers peers) {
            return peers.ofVolume(project, reference);
        }
    }

    /** In a volume, by what E2B's clients call it. */
    record InContent(String volume) implements Errand {
        @Override
        public Optional<Way> way(Peers peers) {
            return peers.ofVolume(volume);
        }
    }

    Pattern SESSION =
            Pattern.compile(
                    "/api/v1/projects/[^/]+/sessions/([a-z0-9]+)/(?:contexts|files|processes)(?:/.*)?");

    Pattern VOLUME = Pattern.compile("/api/v1/projects/([^/]+)/volumes/([^/]+)/files(?:/.*)?");

    Pattern CONTENT = Pattern.compile("/volumecontent/([^/]+)/(?:dir|path|file)/?");

    /**
     * @param path decoded
     */
    static Optional<Errand> of(String path) {
        Matcher session = SESSION.matcher(path);
        if (session.matches()) {
            return SandboxId.isWellFormed(session.group(1))
                    ? Optional.of(new InSession(new SandboxId(session.group(1))))
                    : Optional.empty();
        }
        Matcher volume = VOLUME.matcher(path);
        if (volume.matches()) {
            return Optional.of(new InVolume(volume.group(1), volume.group(2)));
        }
        Matcher content = CONTENT.matcher(path);
        return content.matches() ? Optional.of(new InContent(content.group(1))) : Optional.empty();
    }

    /** The sandbox it is in, if it is in one. */
    default Optional<SandboxId> sandbox() {
        return Optional.empty();
    }

    /** Where it is to be answered, if not here. */
    Optional<Way> way(Peers peers);
}
