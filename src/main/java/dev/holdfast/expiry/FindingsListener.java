package dev.holdfast.expiry;

import jakarta.batch.api.listener.AbstractJobListener;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.jboss.logging.Logger;

/** Says at the end of a job what it found: as its exit status, which every console shows. */
@Named
@Dependent
public class FindingsListener extends AbstractJobListener {

    private static final Logger LOG = Logger.getLogger(FindingsListener.class);

    @Inject Findings findings;
    @Inject JobContext job;

    @Override
    public void afterJob() {
        String summary = findings.summary(job.getJobName());
        LOG.infof("%s: %s", job.getJobName(), summary);
        job.setExitStatus(summary);
    }
}
