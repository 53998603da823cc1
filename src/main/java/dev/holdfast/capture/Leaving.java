package dev.holdfast.capture;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.jboss.logging.Logger;

/** Hears of a stop while everything that a pause needs is still there. */
@WebListener
public class Leaving implements ServletContextListener {

    private static final Logger LOG = Logger.getLogger(Leaving.class);

    @Inject Drains drains;

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        try {
            drains.beforeStop();
        } catch (RuntimeException e) { // what is left ends with the worker
            LOG.warn("The worker stops without having been drained", e);
        }
    }
}
