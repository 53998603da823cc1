package dev.holdfast.database;

import org.hibernate.HibernateException;
import org.hibernate.JDBCException;
import org.hibernate.Transaction;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.internal.DefaultLoadEventListener;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.LoadEvent;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;

/**
 * A row that cannot be read is not a row that is not there. {@code EntityManager.find} answers null
 * when the database fails it in a transaction that is to be rolled back by then (Hibernate's
 * HHH-12472), which is what happens when a connection turns out to be dead as it joins the
 * transaction: whoever asked would take what lives for gone. Here it fails as it does otherwise.
 */
public final class HonestLoads implements Integrator {

    @Override
    public void integrate(
            Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        factory.getServiceRegistry()
                .requireService(EventListenerRegistry.class)
                .setListeners(EventType.LOAD, new Listener());
    }

    @Override
    public void disintegrate(
            SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {
        // The listener goes with its factory.
    }

    private static final class Listener extends DefaultLoadEventListener {

        @Override
        public void onLoad(LoadEvent event, LoadType type) {
            try {
                super.onLoad(event, type);
            } catch (JDBCException e) {
                Transaction transaction = event.getSession().accessTransaction();
                throw transaction.isActive() && transaction.getRollbackOnly()
                        ? new HibernateException("the database did not give the row", e)
                        : e;
            }
        }
    }
}
