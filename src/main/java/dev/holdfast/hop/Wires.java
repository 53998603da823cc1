package dev.holdfast.hop;

import io.undertow.client.ClientRequest;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The ways to other nodes. */
@ApplicationScoped
public class Wires {

    /** Workers that have restarted elsewhere, or with another certificate, leave a wire behind. */
    private static final int MOST = 1024;

    private final Map<Peer, Wire> wires = new ConcurrentHashMap<>();
    private final Hops hops;

    @Inject
    public Wires(Hops hops) {
        this.hops = hops;
    }

    /** For the container, which makes a stand-in of this class. */
    protected Wires() {
        this(null);
    }

    /**
     * Passes a request on as it came, body and upgrade included, and its answer back; answers it in
     * any case. To be called on the I/O thread, in the call of the exchange, with a body of which
     * nothing was read.
     */
    public void pass(HttpServerExchange exchange, Peer peer, Ending ending) {
        ClientRequest request = Headed.request(exchange);
        request.getRequestHeaders().put(Hops.HEADER, hops.seal(exchange, peer.worker()));
        new Relay(exchange, request, wire(peer), ending).start();
    }

    private Wire wire(Peer peer) {
        if (wires.size() >= MOST) {
            wires.clear(); // what is under way goes on; what is idle ends by itself
        }
        return wires.computeIfAbsent(peer, Wire::new);
    }
}
