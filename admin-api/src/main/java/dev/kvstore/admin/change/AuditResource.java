package dev.kvstore.admin.change;

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

/** {@code /v1/audit}. */
@Path("/v1/audit")
@Tag(name = "audit")
@Authenticated
@RunOnVirtualThread
public class AuditResource {
    private final AuditLog log;
    private final Callers callers;

    AuditResource(AuditLog log, Callers callers) {
        this.log = log;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listChanges", summary = "Who changed what, the latest first")
    public Page<ChangeView> list(
            @QueryParam("kind") @Nullable String kind,
            @QueryParam("name") @Nullable String name,
            @QueryParam("tenant") @Nullable String tenant,
            @QueryParam("actor") @Nullable String actor,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return log.page(
                callers.current(), new AuditLog.AuditQuery(kind, name, tenant, actor), cursor, PageLimit.of(limit));
    }
}
