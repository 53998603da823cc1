package dev.holdfast.worker;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentChannel;

/**
 * An open line to the agent of a machine.
 *
 * @param protocol the version of the channel that the agent speaks; a clone's agent speaks the same
 */
record AgentLine(AgentChannel channel, Agent agent, int protocol) {

    AgentLine(AgentChannel channel, int protocol) {
        this(channel, new Agent(channel), protocol);
    }
}
