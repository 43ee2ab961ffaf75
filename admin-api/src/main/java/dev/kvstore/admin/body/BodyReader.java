package dev.kvstore.admin.body;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of every request, in place of the framework's reader, which converts values of one type into another.
 */
@Provider
@Consumes({MediaType.APPLICATION_JSON, MergePatch.MEDIA_TYPE})
public final class BodyReader implements MessageBodyReader<Object> {
    private final StrictJson json = new StrictJson();

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return true;
    }

    /** Reads the body; null if there is none. */
    @Override
    public @Nullable Object readFrom(
            Class<Object> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream in)
            throws IOException {
        byte[] body = in.readAllBytes();
        return body.length == 0 ? null : json.read(body, genericType);
    }
}
