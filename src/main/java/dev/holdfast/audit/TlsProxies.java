package dev.holdfast.audit;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;

/** Whether a browser came by TLS, which a proxy may have ended before this server. */
@ApplicationScoped
public class TlsProxies {

    static final String HEADER = "X-Forwarded-Proto";

    @Inject AuditConfig config;

    private TrustedProxies proxies;

    @PostConstruct
    void begin() {
        proxies = config.proxies();
    }

    /** By what this server sees, and by what the header says of a request from a trusted proxy. */
    public boolean isTls(HttpServletRequest request) {
        return request.isSecure()
                || proxies.isTls(request.getRemoteAddr(), request.getHeader(HEADER));
    }
}
