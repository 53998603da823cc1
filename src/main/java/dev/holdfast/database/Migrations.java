package dev.holdfast.database;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jboss.logging.Logger;

/**
 * Brings the schema to this build's version before anything else of the application works.
 *
 * <p>Every other {@code @Startup} bean that touches the database says
 * {@code @DependsOn("Migrations")}. The plain datasource is used because DDL takes its own
 * transactions, one per migration.
 */
@Singleton
@Startup
@TransactionManagement(TransactionManagementType.BEAN)
public class Migrations {
    private static final Logger LOG = Logger.getLogger(Migrations.class);

    @Resource(lookup = "java:jboss/datasources/HoldfastNonXaDS")
    private DataSource database;

    @PostConstruct
    void migrate() {
        // Timers and the job repository make their own tables first, so the schema is not empty.
        var result =
                Flyway.configure(Migrations.class.getClassLoader())
                        .dataSource(database)
                        .baselineOnMigrate(true)
                        .baselineVersion("0")
                        .locations("classpath:db/migration")
                        .failOnMissingLocations(true)
                        .load()
                        .migrate();
        LOG.infof(
                "Schema at version %s, %d migrations applied",
                result.targetSchemaVersion, result.migrationsExecuted);
    }
}
