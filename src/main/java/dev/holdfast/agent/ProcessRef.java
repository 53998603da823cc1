package dev.holdfast.agent;

import jakarta.json.JsonObjectBuilder;
import java.util.Objects;
import java.util.Optional;

/** A process by its number, or the youngest one with a tag. */
public record ProcessRef(long pid, Optional<String> tag) {

    public ProcessRef {
        Objects.requireNonNull(tag);
        if (tag.isEmpty() && (pid < 1 || pid > Integer.MAX_VALUE)) {
            throw new IllegalArgumentException("a process has a positive number, not " + pid);
        }
    }

    public static ProcessRef pid(long pid) {
        return new ProcessRef(pid, Optional.empty());
    }

    public static ProcessRef tag(String tag) {
        return new ProcessRef(0, Optional.of(tag));
    }

    JsonObjectBuilder into(JsonObjectBuilder request) {
        tag.ifPresentOrElse(name -> request.add("tag", name), () -> request.add("pid", pid));
        return request;
    }
}
