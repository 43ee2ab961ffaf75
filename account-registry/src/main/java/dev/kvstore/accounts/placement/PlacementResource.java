package dev.kvstore.accounts.placement;

import dev.kvstore.admin.body.MergePatch;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Patches;
import dev.kvstore.admin.page.Precondition;
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
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/accounts/{account}/placements}. */
@Path("/v1/accounts/{account}/placements")
@Tag(name = "placements")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class PlacementResource {
    private final Placements placements;
    private final Patches patches;
    private final Callers callers;

    PlacementResource(Placements placements, Patches patches, Callers callers) {
        this.placements = placements;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listPlacements", summary = "Where an account is served, by region")
    public Page<PlacementView> list(@PathParam("account") @ResourceName String account) {
        return placements.of(callers.current(), account);
    }

    @PUT
    @Path("{region}")
    @Operation(operationId = "putPlacement", summary = "Says which cluster of a region serves an account")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = PlacementView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = PlacementView.class)))
    public Response put(
            @PathParam("account") @ResourceName String account,
            @PathParam("region") @Name String region,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") PlacementSpec spec) {
        return placements
                .put(callers.current(), account, region, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{region}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchPlacement", summary = "Changes some fields of a placement and keeps all others")
    public Response patch(
            @PathParam("account") @ResourceName String account,
            @PathParam("region") @Name String region,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        return patches.apply(
                        patch,
                        ifMatch,
                        PlacementSpec.class,
                        () -> placements.get(caller, account, region),
                        (spec, match) -> placements.put(caller, account, region, spec, match))
                .response();
    }

    @DELETE
    @Path("{region}")
    @Operation(operationId = "deletePlacement", summary = "Leaves it to the platform which cluster serves an account")
    public void delete(
            @PathParam("account") @ResourceName String account,
            @PathParam("region") @Name String region,
            @HeaderParam("If-Match") @Nullable String ifMatch) {
        placements.delete(callers.current(), account, region, Precondition.of(ifMatch, null));
    }
}
