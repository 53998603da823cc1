package dev.holdfast.hop;

import dev.holdfast.sandbox.SandboxId;
import dev.holdfast.volume.VolumeId;
import java.util.Objects;

/** Where something is on another node, and of which share its connections are. */
public record Way(Peer peer, Share share) {

    /** All that goes to one sandbox or to one volume, of the connections to a node. */
    record Share(String of) {

        Share {
            Objects.requireNonNull(of);
        }
    }

    public Way {
        Objects.requireNonNull(peer);
        Objects.requireNonNull(share);
    }

    public static Way to(Peer peer, SandboxId sandbox) {
        return new Way(peer, new Share("sandbox " + sandbox));
    }

    /** However the volume was named, it is the same one. */
    public static Way to(Peer peer, VolumeId volume) {
        return new Way(peer, new Share("volume " + volume));
    }
}
