package dev.holdfast.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Bean Validation; needed by itself because the server brings a mapper for just this type. */
@Provider
public class ValidationMapper implements ExceptionMapper<ValidationException> {
    @Context private HttpServletRequest request;
    @Context private SecurityContext security;

    @Override
    public Response toResponse(ValidationException thrown) {
        return Answer.to(thrown, request, security);
    }
}
