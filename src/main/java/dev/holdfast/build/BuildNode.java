package dev.holdfast.build;

import jakarta.annotation.PostConstruct;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.io.IOException;
import org.jboss.logging.Logger;

/** Begins this node's builds. */
@Singleton
@Startup
@DependsOn("Migrations")
@TransactionManagement(TransactionManagementType.BEAN)
public class BuildNode {

    private static final Logger LOG = Logger.getLogger(BuildNode.class);

    @Inject Builds builds;

    @PostConstruct
    void start() {
        try {
            builds.open();
        } catch (IOException e) {
            LOG.error("No templates can be built here", e);
        }
    }
}
