package dev.holdfast.job;

import dev.holdfast.access.ProjectId;
import dev.holdfast.problem.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Collectors;

/** What an execution is told: parameters that its job has, with values that they may have. */
public record Order(Job job, Map<String, String> given) {

    /**
     * @throws Problem {@code invalid_parameter} for one that the job does not have or that is wrong
     */
    public Order {
        given = Map.copyOf(given);
        given.forEach(
                (name, text) ->
                        job.parameter(name).orElseThrow(() -> unknown(job, name)).require(text));
    }

    /** As the job repository has it, which adds some of its own. */
    static Order of(Job job, Properties properties) {
        return new Order(job, given(properties));
    }

    /** The parameters that were meant for the job; none at all is null there. */
    static Map<String, String> given(Properties properties) {
        if (properties == null) {
            return Map.of();
        }
        return properties.stringPropertyNames().stream()
                .filter(name -> !name.startsWith("jberet.") && !name.startsWith("org.jberet."))
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    Properties properties() {
        Properties all = new Properties();
        given.forEach(all::setProperty);
        return all;
    }

    public boolean isDry() {
        return flag(Parameter.DRY_RUN.name());
    }

    public boolean flag(String name) {
        return text(name).filter("true"::equals).isPresent();
    }

    public long count(String name) {
        return Long.parseLong(text(name).orElseThrow());
    }

    /** How many at the most, of what a list can hold. */
    public int most() {
        return (int) Math.min(count("most"), Integer.MAX_VALUE);
    }

    public Optional<Duration> duration(String name) {
        return text(name).map(Parameter::duration);
    }

    public Duration olderThan() {
        return duration("olderThan").orElse(Duration.ZERO);
    }

    public Optional<ProjectId> project() {
        return text(Parameter.PROJECT.name()).map(UUID::fromString).map(ProjectId::new);
    }

    private Optional<String> text(String name) {
        return Optional.ofNullable(given.get(name))
                .or(() -> job.parameter(name).flatMap(Parameter::presetting));
    }

    private static Problem unknown(Job job, String name) {
        String known =
                job.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
        return Problem.invalid(
                name,
                "The job %s has no parameter \"%s\"; it has %s."
                        .formatted(
                                job,
                                name.length() <= 100 ? name : name.substring(0, 100),
                                known.isEmpty() ? "none" : known));
    }
}
