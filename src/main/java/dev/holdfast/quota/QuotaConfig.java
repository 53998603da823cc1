package dev.holdfast.quota;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Period;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Settings of limits and their history, {@code holdfast.quota.*}. */
@ApplicationScoped
class QuotaConfig {

    @Inject
    @ConfigProperty(name = "holdfast.quota.warning-percent", defaultValue = "80")
    int warningPercent;

    @Inject
    @ConfigProperty(name = "holdfast.quota.history-days", defaultValue = "400")
    int historyDays;

    /** From how much of a limit on its project is warned. */
    int warningPercent() {
        return warningPercent;
    }

    /** How long the days are kept; a project in which nothing changes keeps its old ones. */
    Period history() {
        return Period.ofDays(historyDays);
    }
}
