package dev.holdfast.expiry;

import dev.holdfast.build.Images;
import dev.holdfast.template.TemplateId;
import dev.holdfast.template.Templates;
import jakarta.batch.api.AbstractBatchlet;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import org.jboss.logging.Logger;

/** Fails builds that are past their deadline and removes the images that nothing needs. */
@Named
@Dependent
public class TemplateBatchlet extends AbstractBatchlet {

    private static final Logger LOG = Logger.getLogger(TemplateBatchlet.class);

    @Inject Images images;
    @Inject Templates templates;

    @Override
    public String process() {
        for (TemplateId overdue : templates.overdue()) {
            templates.fail(overdue, "it was not built by its deadline");
        }
        templates.forgetFailed();
        int removed = 0;
        for (String digest : templates.unneededImages()) {
            try {
                removed += images.removeUnneeded(digest) ? 1 : 0;
            } catch (RuntimeException e) {
                LOG.warnf(e, "Image %s could not be removed; tried again", digest);
            }
        }
        if (removed > 0) {
            LOG.infof("Removed %d images of deleted templates", removed);
        }
        return "COMPLETED";
    }
}
