package dev.kvstore.accounts.grant;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.PageLimit;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/tenants/{tenant}/grants}. */
@Path("/v1/tenants/{tenant}/grants")
@Tag(name = "grants")
@Authenticated
@RunOnVirtualThread
public class ReceivedGrantResource {
    private final Grants grants;
    private final Callers callers;

    ReceivedGrantResource(Grants grants, Callers callers) {
        this.grants = grants;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listReceivedGrants", summary = "What a tenant may do with the accounts of others")
    public Page<GrantView> received(
            @PathParam("tenant") @Name String tenant,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return grants.received(callers.current(), tenant, cursor, PageLimit.of(limit));
    }
}
