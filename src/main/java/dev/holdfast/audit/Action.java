package dev.holdfast.audit;

import java.util.Arrays;
import java.util.Optional;

/** What was done, or asked for. The words are API: they may be added, never renamed. */
public enum Action {
    SANDBOX_CREATE("sandbox.create"),
    SANDBOX_RESTORE("sandbox.restore"),
    SANDBOX_FORK("sandbox.fork"),
    SANDBOX_PAUSE("sandbox.pause"),
    SANDBOX_RESUME("sandbox.resume"),
    /** Its idle timeout or its network; its lifetime only where a change of it was refused. */
    SANDBOX_CHANGE("sandbox.change"),
    /** What is done in one that runs: code, files, programs; only where it was refused. */
    SANDBOX_USE("sandbox.use"),
    /** Killed, or ended for whatever reason the details tell. */
    SANDBOX_END("sandbox.end"),
    CAPTURE_POLICY_SET("capture_policy.set"),
    CAPTURE_POLICY_REMOVE("capture_policy.remove"),

    /** Accepted; what comes of it is {@link #SNAPSHOT_SAVE}. */
    SNAPSHOT_CAPTURE("snapshot.capture"),
    SNAPSHOT_SAVE("snapshot.save"),
    SNAPSHOT_CANCEL("snapshot.cancel"),
    /** Its expiry, its note or its labels. */
    SNAPSHOT_CHANGE("snapshot.change"),
    SNAPSHOT_DELETE("snapshot.delete"),
    /** At its time, or before it where its project's retention policy does not keep it. */
    SNAPSHOT_EXPIRE("snapshot.expire"),
    SNAPSHOT_PIN("snapshot.pin"),
    SNAPSHOT_UNPIN("snapshot.unpin"),
    SNAPSHOT_HOLD("snapshot.hold"),
    /** Out of the trash. */
    SNAPSHOT_BRING_BACK("snapshot.bring_back"),
    /** Out of the trash before its time, for good. */
    SNAPSHOT_PURGE("snapshot.purge"),

    /** Its files were looked at, by somebody for the first time in a while. */
    SNAPSHOT_LOOK("snapshot.look"),
    SNAPSHOT_COMPARE("snapshot.compare"),

    TEMPLATE_UPLOAD("template.upload"),
    TEMPLATE_DELETE("template.delete"),

    VOLUME_CREATE("volume.create"),
    /** Its note or its limit. */
    VOLUME_CHANGE("volume.change"),
    VOLUME_DELETE("volume.delete"),
    /** Something in it was changed past any sandbox. */
    VOLUME_WRITE("volume.write"),

    PROJECT_CREATE("project.create"),
    /** Its name, slug, limits or retention. */
    PROJECT_CHANGE("project.change"),
    /** A new version of its retention policy. */
    RETENTION_CHANGE("retention.change"),
    PROJECT_CLOSE("project.close"),
    PROJECT_REOPEN("project.reopen"),
    PROJECT_PURGE("project.purge"),

    KEY_CREATE("key.create"),
    KEY_CHANGE("key.change"),
    KEY_REVOKE("key.revoke"),

    /** Into the console; refused where the key was not taken. */
    CONSOLE_SIGN_IN("console.sign_in"),
    CONSOLE_SIGN_OUT("console.sign_out"),

    WEBHOOK_CREATE("webhook.create"),
    /** Its address, its types, or whether it is enabled, by whomever. */
    WEBHOOK_CHANGE("webhook.change"),
    WEBHOOK_ROTATE("webhook.rotate"),
    WEBHOOK_REPLAY("webhook.replay"),
    WEBHOOK_DELETE("webhook.delete"),

    /** Takes no more, and what it runs is paused. */
    WORKER_DRAIN("worker.drain"),
    WORKER_UNDRAIN("worker.undrain"),

    JOB_START("job.start"),
    JOB_STOP("job.stop"),
    JOB_RESTART("job.restart"),

    /** Stands for the refusals of one key in one minute that were too many to be told singly. */
    AUDIT_SUMMARY("audit.summary"),
    /** A change that is not offered, refused by name. */
    UNSUPPORTED("unsupported");

    private final String word;

    Action(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public static Optional<Action> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
