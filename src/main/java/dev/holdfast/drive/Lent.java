package dev.holdfast.drive;

import dev.holdfast.runtime.MachineSpec;
import java.util.List;

/**
 * What a machine that is being made shares with its host. Closed when that has it mounted, or never
 * will.
 */
public final class Lent implements AutoCloseable {

    private final List<MachineSpec.Share> shares;
    private final List<Stay> stays;

    Lent(List<MachineSpec.Share> shares, List<Stay> stays) {
        this.shares = List.copyOf(shares);
        this.stays = List.copyOf(stays);
    }

    public List<MachineSpec.Share> shares() {
        return shares;
    }

    @Override
    public void close() {
        stays.forEach(Stay::close);
    }
}
