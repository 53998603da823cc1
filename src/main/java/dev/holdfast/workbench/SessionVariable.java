package dev.holdfast.workbench;

import dev.holdfast.agent.Variable;

/**
 * A name that code of a session has given to a value.
 *
 * @param value shortened to a line
 */
public record SessionVariable(String name, String type, String value) {

    static SessionVariable of(Variable variable) {
        return new SessionVariable(variable.name(), variable.type(), variable.value());
    }
}
