package dev.kvstore.admin.repeat;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns a {@link RepeatedAnswer} into its answer. */
public final class Replays {
    /** The header that says that nothing was done now. */
    private static final String HEADER = "Idempotency-Replayed";

    /** The content type, as the framework writes it in the first answer. */
    private static final String JSON = MediaType.APPLICATION_JSON + ";charset=UTF-8";

    @ServerExceptionMapper
    Response answer(RepeatedAnswer replay) {
        String body = replay.answer().body();
        Response.ResponseBuilder answer =
                Response.status(replay.answer().status()).header(HEADER, true);
        return body.isEmpty() ? answer.build() : answer.type(JSON).entity(body).build();
    }
}
