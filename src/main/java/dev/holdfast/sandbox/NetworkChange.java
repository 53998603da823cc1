package dev.holdfast.sandbox;

import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Optional;
import org.hibernate.annotations.ColumnTransformer;

/**
 * How far the changes of one sandbox's network have come. They are counted; the last one asked is
 * the one in the sandbox's row, and a later one takes the place of one that is not in force yet.
 */
@Entity
class NetworkChange {

    @Id private String sandboxId;
    private long asked;
    private long inForce;
    private long failed;
    private String failure;

    @Convert(converter = NetworkPolicyConverter.class)
    @ColumnTransformer(write = "?::jsonb")
    private NetworkPolicy beforeChange;

    protected NetworkChange() {}

    NetworkChange(SandboxId sandbox) {
        this.sandboxId = sandbox.value();
    }

    /**
     * @param now what is in force unless another change is under way
     * @return the number of the change
     */
    long ask(NetworkPolicy now) {
        if (!isPending()) {
            beforeChange = now;
        }
        return ++asked;
    }

    /** The change that is neither in force nor failed. */
    Optional<Long> pending() {
        return isPending() ? Optional.of(asked) : Optional.empty();
    }

    /**
     * A worker has put a change in force; false when that change was given up before, and something
     * else has to be in force.
     */
    boolean inForce(long number, NetworkPolicy policy) {
        if (number <= failed) {
            return false;
        }
        inForce = Math.max(inForce, number);
        beforeChange = isPending() ? policy : null;
        return true;
    }

    /**
     * What has to be put back because a change cannot be put in force; empty when it is in force,
     * or a later one is on its way.
     */
    Optional<NetworkPolicy> fail(long number, String why) {
        if (!isPending() || number != asked) {
            return Optional.empty();
        }
        Optional<NetworkPolicy> before = Optional.of(beforeChange);
        failed = number;
        failure = why;
        beforeChange = null;
        return before;
    }

    /** Empty while the change is under way. */
    Optional<NetworkOutcome> outcome(long number) {
        if (inForce >= number) {
            return Optional.of(new NetworkOutcome.InForce());
        }
        return failed >= number
                ? Optional.of(new NetworkOutcome.Failed(failure))
                : Optional.empty();
    }

    private boolean isPending() {
        return asked > Math.max(inForce, failed);
    }
}
