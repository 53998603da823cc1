package dev.holdfast.autosave;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.snapshot.OperationState;
import dev.holdfast.worker.Reading;
import dev.holdfast.worker.Readings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Looks at this worker's sandboxes that have a policy whenever the meter has read them, and
 * captures those whose interval is over or whose memory is nearly full. The rows have the last
 * word.
 */
@ApplicationScoped
class Vigil {

    private static final Logger LOG = Logger.getLogger(Vigil.class);

    @Inject Autosaves autosaves;
    @Inject AutosaveConfig config;
    @Inject Triggers triggers;

    /** Only the one reading at a time touches it. */
    private Map<SandboxId, Watch> watches = Map.of();

    private record Watch(Activity activity, Alarm alarm) {}

    /** Whatever goes wrong here, the next reading comes. */
    void observe(@Observes Readings readings) {
        try {
            look(readings);
        } catch (RuntimeException e) {
            LOG.warnf(e, "What policies want of this worker's sandboxes is looked at again");
        }
    }

    private void look(Readings readings) {
        Map<SandboxId, Reading> here =
                readings.all().stream()
                        .collect(Collectors.toMap(Reading::sandbox, Function.identity()));
        List<Autosave> policies = autosaves.of(here.keySet());
        Map<SandboxId, Watch> watching = new HashMap<>();
        for (Autosave each : policies) {
            Watch watch = watches.get(each.sandbox());
            watching.put(each.sandbox(), watch == null ? fresh() : watch);
        }
        watches = watching;
        policies.forEach(
                each -> watches.get(each.sandbox()).activity().see(here.get(each.sandbox())));
        policies.forEach(this::hear);
        policies.forEach(each -> guard(each, here.get(each.sandbox())));
        captureDue(policies, readings.at());
    }

    private Watch fresh() {
        return new Watch(new Activity(config.idlePercent()), new Alarm());
    }

    /** A capture that was taken may still come to nothing. */
    private void hear(Autosave each) {
        Activity activity = watches.get(each.sandbox()).activity();
        if (!activity.isBeingSaved()) {
            return;
        }
        Optional<OperationState> last = autosaves.lastState(each);
        if (last.filter(OperationState.DONE::equals).isPresent()) {
            activity.saved();
        } else if (last.filter(OperationState.RUNNING::equals).isEmpty()) {
            activity.notSaved();
        }
    }

    private void guard(Autosave each, Reading now) {
        Watch watch = watches.get(each.sandbox());
        boolean danger =
                each.policy().isFor(Cause.MEMORY)
                        && watch.alarm()
                                .isDue(
                                        now.memory(),
                                        now.memoryLimit(),
                                        each.policy().memoryPercent());
        if (danger && pull(each, Cause.MEMORY) != Triggers.Outcome.NOT_NOW) {
            watch.alarm().raise();
        }
    }

    /** As many as may be at once; the others are due at the next reading too. */
    private void captureDue(List<Autosave> policies, Instant now) {
        List<Autosave> due =
                policies.stream()
                        .filter(each -> each.wants(Cause.INTERVAL, now, config.alarmPause()))
                        .toList();
        if (due.isEmpty()) {
            return;
        }
        long room = config.atOnce() - autosaves.underWay(watches.keySet());
        for (Autosave each : due) {
            if (!watches.get(each.sandbox()).activity().hasChanged()) {
                triggers.skip(each.sandbox());
            } else if (room > 0 && pull(each, Cause.INTERVAL) == Triggers.Outcome.BEGUN) {
                room--;
            }
        }
    }

    private Triggers.Outcome pull(Autosave each, Cause cause) {
        Triggers.Outcome outcome = triggers.pull(Occasion.during(each.sandbox(), cause));
        if (outcome == Triggers.Outcome.BEGUN) {
            watches.get(each.sandbox()).activity().captured();
        }
        return outcome;
    }
}
