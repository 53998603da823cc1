package dev.holdfast.event;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/**
 * The first that hears of a stop, while answers can still be given: whoever waits is told, and not
 * cut off when what would have answered is gone.
 */
@WebListener
public class Closing implements ServletContextListener {

    @Inject Waits waits;

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        waits.stop();
    }
}
