package dev.kvstore.admin.caller;

import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /v1/whoami}. */
@Path("/v1/whoami")
@Tag(name = "caller")
@Authenticated
@RunOnVirtualThread
public class CallerResource {
    private final Callers callers;
    private final ServerVersion version;

    CallerResource(Callers callers, ServerVersion version) {
        this.callers = callers;
        this.version = version;
    }

    @GET
    @Operation(operationId = "whoAmI", summary = "Who asks, what it may, and the server's version")
    public CallerView get() {
        return CallerView.of(callers.current(), version);
    }
}
