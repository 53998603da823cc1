package dev.holdfast.gateway;

import dev.holdfast.sandbox.SandboxTokens;
import dev.holdfast.worker.LiveSandboxes;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import jakarta.servlet.ServletException;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;

/** The gateway before a JAX-RS application in this JVM, on one worker thread. */
public final class TestServer implements AutoCloseable {

    private final Undertow server;

    public TestServer(
            Class<? extends Application> application, LiveSandboxes sandboxes, SandboxTokens tokens)
            throws ServletException {
        this(application, sandboxes, tokens, new WaitingRoom(WaitingRoom.usual()));
    }

    public TestServer(
            Class<? extends Application> application,
            LiveSandboxes sandboxes,
            SandboxTokens tokens,
            WaitingRoom waiting)
            throws ServletException {
        ClassLoader loader = new WithoutExtensions();
        DeploymentInfo deployment =
                Servlets.deployment()
                        .setClassLoader(loader)
                        .setContextPath("/")
                        .setDeploymentName("test")
                        .addServlet(
                                Servlets.servlet("envd", HttpServlet30Dispatcher.class)
                                        .setAsyncSupported(true)
                                        .addMapping(Gateway.ENVD_PREFIX + "/*")
                                        .addInitParam(
                                                "jakarta.ws.rs.Application", application.getName())
                                        .addInitParam(
                                                "resteasy.servlet.mapping.prefix",
                                                Gateway.ENVD_PREFIX)
                                        .setLoadOnStartup(1))
                        .addInitialHandlerChainWrapper(waiting)
                        .addInitialHandlerChainWrapper(
                                next -> new GatewayHandler(next, sandboxes, tokens));
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
        deploy(manager, loader);
        server =
                Undertow.builder()
                        .addHttpListener(0, "127.0.0.1", manager.start())
                        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                        .setIoThreads(2)
                        .setWorkerThreads(1)
                        .build();
        server.start();
    }

    /** Extensions are also looked for in the loader of the thread. */
    private static void deploy(DeploymentManager manager, ClassLoader loader) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            manager.deploy();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Hides the extension of the WAR, whose gateway looks for its beans in a container. */
    private static final class WithoutExtensions extends ClassLoader {

        WithoutExtensions() {
            super(TestServer.class.getClassLoader());
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals("META-INF/services/" + ServletExtension.class.getName())
                    ? Collections.emptyEnumeration()
                    : super.getResources(name);
        }
    }

    public int port() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    @Override
    public void close() {
        server.stop();
    }
}
