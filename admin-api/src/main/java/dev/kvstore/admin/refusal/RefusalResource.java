package dev.kvstore.admin.refusal;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.PageLimit;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/refusals}. */
@Path("/v1/refusals")
@Tag(name = "audit")
@Authenticated
@RunOnVirtualThread
public class RefusalResource {
    private final Refusals refusals;
    private final Callers callers;

    RefusalResource(Refusals refusals, Callers callers) {
        this.refusals = refusals;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listRefusals", summary = "Who was refused what of late, the latest first")
    public Page<RefusalView> list(
            @QueryParam("tenant") @Nullable String tenant,
            @QueryParam("actor") @Nullable String actor,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return refusals.page(callers.current(), tenant, actor, cursor, PageLimit.of(limit));
    }
}
