package dev.holdfast.hop;

import dev.holdfast.fleet.Worker;
import dev.holdfast.fleet.Workers;
import io.undertow.client.ClientRequest;
import io.undertow.server.HttpServerExchange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** The ways to other nodes. */
@ApplicationScoped
public class Wires {

    private static final Logger LOG = Logger.getLogger(Wires.class);

    /** Descriptors of this node: a thousand busy sandboxes, and not all it has. */
    private static final int MOST = 4096;

    private final Map<Peer, Wire> wires = new ConcurrentHashMap<>();
    private final Hops hops;
    private final Workers workers;
    private final int most;

    /** Of whom nothing was heard at the last look. */
    private volatile Set<Peer> missed = Set.of();

    @Inject
    public Wires(Hops hops, Workers workers) {
        this(hops, workers, MOST);
    }

    /**
     * @param most connections to one peer that are in use
     */
    Wires(Hops hops, Workers workers, int most) {
        this.hops = hops;
        this.workers = workers;
        this.most = most;
    }

    /** For the container, which makes a stand-in of this class. */
    protected Wires() {
        this(null, null);
    }

    /**
     * Passes a request on as it came, body and upgrade included, and its answer back; answers it in
     * any case. To be called on the I/O thread, in the call of the exchange, with a body of which
     * nothing was read.
     */
    public void pass(HttpServerExchange exchange, Way way, Ending ending) {
        Peer peer = way.peer();
        ClientRequest request = Headed.request(exchange);
        request.getRequestHeaders().put(Hops.HEADER, hops.seal(exchange, peer.worker()));
        new Relay(exchange, request, wire(peer), way.share(), ending).start();
    }

    /**
     * Ends what is open to workers that nobody hears of, to processes that have a successor, and to
     * where a worker is no longer, by its row: a host that has lost its power, or its way here,
     * resets nothing. Only at the second look, a renewal after the first: when the database was
     * away all leases are over at once, and whoever lives renews meanwhile. A look that fails says
     * nothing of anybody.
     */
    void look() {
        Set<Peer> before = missed;
        missed = Set.of();
        if (wires.isEmpty()) {
            return;
        }
        List<Worker> heard = workers.reachable();
        missed =
                wires.keySet().stream()
                        .filter(peer -> heard.stream().noneMatch(peer::is))
                        .collect(Collectors.toSet());
        missed.stream().filter(before::contains).forEach(this::cut);
    }

    private void cut(Peer peer) {
        Wire wire = wires.remove(peer);
        if (wire != null && wire.cut() > 0) {
            LOG.warnf(
                    "What was open to worker %s is ended: nobody hears of it at %s any more",
                    peer.worker(), peer.row().place());
        }
    }

    private Wire wire(Peer peer) {
        return wires.computeIfAbsent(peer, each -> new Wire(each, most));
    }
}
