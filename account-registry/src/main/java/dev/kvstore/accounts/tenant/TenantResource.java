package dev.kvstore.accounts.tenant;

import dev.kvstore.admin.body.MergePatch;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.page.Filter;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.PageLimit;
import dev.kvstore.admin.page.Patches;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.repeat.SafeToRepeat;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/tenants}. */
@Path("/v1/tenants")
@Tag(name = "tenants")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.PLATFORM)
public class TenantResource {
    private final Tenants tenants;
    private final Patches patches;
    private final Callers callers;

    TenantResource(Tenants tenants, Patches patches, Callers callers) {
        this.tenants = tenants;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listTenants", summary = "Tenants, by name")
    public Page<TenantView> list(
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("state") @Schema(implementation = TenantState.class) @Nullable String state,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return tenants.page(
                callers.current(), cursor, Filter.word(TenantState.class, "state", state), PageLimit.of(limit));
    }

    @GET
    @Path("{tenant}")
    @Operation(operationId = "getTenant", summary = "One tenant")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = TenantView.class)))
    public Response get(@PathParam("tenant") @Name String tenant) {
        TenantView view = tenants.get(callers.current(), tenant);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{tenant}")
    @Operation(operationId = "putTenant", summary = "Registers a tenant, or changes it")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = TenantView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = TenantView.class)))
    public Response put(
            @PathParam("tenant") @Name String tenant,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") TenantSpec spec) {
        return tenants.put(callers.current(), tenant, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{tenant}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchTenant", summary = "Changes some fields of a tenant and keeps all others")
    public Response patch(
            @PathParam("tenant") @Name String tenant,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        return patches.apply(
                        patch,
                        ifMatch,
                        TenantSpec.class,
                        () -> tenants.get(caller, tenant),
                        (spec, match) -> tenants.put(caller, tenant, spec, match))
                .response();
    }

    @DELETE
    @Path("{tenant}")
    @Operation(operationId = "deleteTenant", summary = "Ends a tenant; its name stays taken")
    public void delete(@PathParam("tenant") @Name String tenant, @HeaderParam("If-Match") @Nullable String ifMatch) {
        tenants.delete(callers.current(), tenant, Precondition.of(ifMatch, null));
    }
}
