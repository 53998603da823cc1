package dev.holdfast.capture;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** Hears of a stop while everything that a pause needs is still there. */
@WebListener
public class Leaving implements ServletContextListener {

    @Inject Drains drains;

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        drains.beforeStop();
    }
}
