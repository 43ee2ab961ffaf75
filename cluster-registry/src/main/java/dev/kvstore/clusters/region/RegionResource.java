package dev.kvstore.clusters.region;

import dev.kvstore.admin.body.MergePatch;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
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

/** {@code /v1/regions}. */
@Path("/v1/regions")
@Tag(name = "regions")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.FLEET)
public class RegionResource {
    private final Regions regions;
    private final Patches patches;
    private final Callers callers;

    RegionResource(Regions regions, Patches patches, Callers callers) {
        this.regions = regions;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listRegions", summary = "Regions, by name")
    public Page<RegionView> list(
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        callers.current();
        return regions.page(cursor, PageLimit.of(limit));
    }

    @GET
    @Path("{region}")
    @Operation(operationId = "getRegion", summary = "One region")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = RegionView.class)))
    public Response get(@PathParam("region") @Name String region) {
        callers.current();
        RegionView view = regions.get(region);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{region}")
    @Operation(operationId = "putRegion", summary = "Registers a region, or changes it")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = RegionView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = RegionView.class)))
    public Response put(
            @PathParam("region") @Name String region,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") RegionSpec spec) {
        return regions.put(callers.current(), region, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{region}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchRegion", summary = "Changes some fields of a region and keeps all others")
    public Response patch(
            @PathParam("region") @Name String region,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        return patches.apply(
                        patch,
                        ifMatch,
                        RegionSpec.class,
                        () -> regions.get(region),
                        (spec, match) -> regions.put(caller, region, spec, match))
                .response();
    }

    @DELETE
    @Path("{region}")
    @Operation(operationId = "deleteRegion", summary = "Takes a region out that has no clusters")
    public void delete(@PathParam("region") @Name String region, @HeaderParam("If-Match") @Nullable String ifMatch) {
        regions.delete(callers.current(), region, Precondition.of(ifMatch, null));
    }

    @GET
    @Path("{region}/round-trips")
    @Operation(operationId = "listRoundTrips", summary = "How far a region is from others")
    public Page<RoundTripView> roundTrips(@PathParam("region") @Name String region) {
        callers.current();
        return regions.roundTrips(region);
    }

    @PUT
    @Path("{region}/round-trips/{other}")
    @Operation(operationId = "putRoundTrip", summary = "Says how far two regions are apart, in either order")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = RoundTripView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = RoundTripView.class)))
    public Response roundTrip(
            @PathParam("region") @Name String region,
            @PathParam("other") @Name String other,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") RoundTripSpec spec) {
        return regions.put(callers.current(), region, other, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }
}
