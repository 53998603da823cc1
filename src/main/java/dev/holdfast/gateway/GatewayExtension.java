package dev.holdfast.gateway;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/** Puts the gateway in front of everything the application serves. */
public final class GatewayExtension implements ServletExtension {

    @Override
    public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
        deployment.addInitialHandlerChainWrapper(GatewayHandler::new);
    }
}
