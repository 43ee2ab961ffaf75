package dev.kvstore.accounts.grant;

import dev.kvstore.admin.body.MergePatch;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
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

/** {@code /v1/accounts/{account}/grants}. */
@Path("/v1/accounts/{account}/grants")
@Tag(name = "grants")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class GrantResource {
    private final Grants grants;
    private final Patches patches;
    private final Callers callers;

    GrantResource(Grants grants, Patches patches, Callers callers) {
        this.grants = grants;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listGrants", summary = "What others may do with an account, by the grants' names")
    public Page<GrantView> list(
            @PathParam("account") @ResourceName String account,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return grants.page(callers.current(), account, cursor, PageLimit.of(limit));
    }

    @GET
    @Path("{grant}")
    @Operation(operationId = "getGrant", summary = "One grant")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = GrantView.class)))
    public Response get(@PathParam("account") @ResourceName String account, @PathParam("grant") @Name String grant) {
        GrantView view = grants.get(callers.current(), account, grant);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{grant}")
    @Operation(operationId = "putGrant", summary = "Lets another tenant use an account, or changes what it may")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = GrantView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = GrantView.class)))
    public Response put(
            @PathParam("account") @ResourceName String account,
            @PathParam("grant") @Name String grant,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") GrantSpec spec) {
        return grants.put(callers.current(), account, grant, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{grant}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchGrant", summary = "Changes some fields of a grant and keeps all others")
    public Response patch(
            @PathParam("account") @ResourceName String account,
            @PathParam("grant") @Name String grant,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        return patches.apply(
                        patch,
                        ifMatch,
                        GrantSpec.class,
                        () -> grants.get(caller, account, grant),
                        (spec, match) -> grants.put(caller, account, grant, spec, match))
                .response();
    }

    @DELETE
    @Path("{grant}")
    @Operation(operationId = "deleteGrant", summary = "Takes a grant back: every data plane knows within 5 s")
    public void delete(
            @PathParam("account") @ResourceName String account,
            @PathParam("grant") @Name String grant,
            @HeaderParam("If-Match") @Nullable String ifMatch) {
        grants.delete(callers.current(), account, grant, Precondition.of(ifMatch, null));
    }
}
