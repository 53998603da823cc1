package dev.holdfast.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/**
 * Writes a page of the longest list there is, the same document as JSON-B would: that takes longer
 * for a hundred rows than the database does to find them.
 */
@Provider
@Produces(MediaType.APPLICATION_JSON)
public class SnapshotPageWriter implements MessageBodyWriter<SnapshotPage> {

    private static final ObjectWriter JSON =
            JsonMapper.builder()
                    .addModule(new JavaTimeModule())
                    .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                    .defaultPropertyInclusion(
                            JsonInclude.Value.construct(
                                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                    .build()
                    .writerFor(SnapshotPage.class);

    @Override
    public boolean isWriteable(
            Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
        return type == SnapshotPage.class;
    }

    @Override
    public void writeTo(
            SnapshotPage page,
            Class<?> type,
            Type generic,
            Annotation[] annotations,
            MediaType media,
            MultivaluedMap<String, Object> headers,
            OutputStream out)
            throws IOException {
        // Written at once, so that a page that cannot be written has sent nothing yet.
        out.write(JSON.writeValueAsBytes(page));
    }
}
