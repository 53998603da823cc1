package dev.holdfast.gateway;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;
import org.eclipse.microprofile.config.ConfigProvider;

/** Puts the gateway in front of everything the application serves. */
public final class GatewayExtension implements ServletExtension {

    private static final long MEBIBYTE = 1024L * 1024;

    @Override
    public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
        deployment.addInitialHandlerChainWrapper(new WaitingRoom(waiting()));
        deployment.addInitialHandlerChainWrapper(GatewayHandler::new);
    }

    private static long waiting() {
        return ConfigProvider.getConfig(GatewayExtension.class.getClassLoader())
                .getOptionalValue("holdfast.gateway.waiting-mib", Long.class)
                .map(mebibytes -> mebibytes * MEBIBYTE)
                .orElseGet(WaitingRoom::usual);
    }
}
