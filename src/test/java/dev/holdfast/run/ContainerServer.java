package dev.holdfast.run;

import org.jboss.arquillian.container.spi.event.container.BeforeStart;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * Gives Arquillian the shared server without the WAR. Its own way of starting one knows neither the
 * database nor the home, and would change the distribution.
 */
public final class ContainerServer implements LoadableExtension {

    /** As {@code arquillian.xml}, which is read after this, calls it. */
    private static final String PORT = "holdfast.test.container.port";

    @Override
    public void register(ExtensionBuilder builder) {
        System.setProperty(PORT, Integer.toString(SharedServer.barePort()));
        builder.observer(Start.class);
    }

    /** Made by Arquillian. */
    public static final class Start {

        public void start(@Observes BeforeStart event) {
            SharedServer.bare();
        }
    }
}
