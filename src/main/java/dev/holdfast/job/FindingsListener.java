package dev.holdfast.job;

import jakarta.batch.api.listener.AbstractStepListener;
import jakarta.batch.runtime.context.JobContext;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.jboss.logging.Logger;

/**
 * Says at the end of a job's only step what it found: as the job's exit status, which every console
 * shows. At the end of the job it would be too late: that is told as over before.
 */
@Named
@Dependent
public class FindingsListener extends AbstractStepListener {

    private static final Logger LOG = Logger.getLogger(FindingsListener.class);

    @Inject Findings findings;
    @Inject JobContext job;

    @Override
    public void afterStep() {
        String summary = findings.summary(job.getJobName());
        LOG.infof("%s: %s", job.getJobName(), summary);
        job.setExitStatus(Outcome.cut(summary));
    }
}
