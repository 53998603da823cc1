package dev.holdfast.hop;

import io.undertow.server.HttpServerExchange;

/** What is done where a peer's answer does not come, or not to its end. */
public interface Ending {

    /** Nothing was answered yet. */
    void unreachable(HttpServerExchange exchange);

    /** Those for whom it is have as much under way to that peer as they may. */
    void tooMany(HttpServerExchange exchange);

    /** An answer is under way that must not seem whole. */
    void cut(HttpServerExchange exchange);

    /** The peer says that the sandbox runs on another node by now. */
    void elsewhere();
}
