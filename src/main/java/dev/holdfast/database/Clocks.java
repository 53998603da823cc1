package dev.holdfast.database;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Clock;

/** The node's own clock, for what never meets another node's: ages of local files, ticks. */
@ApplicationScoped
class Clocks {

    @Produces
    Clock clock() {
        return Clock.systemUTC();
    }
}
