package dev.kvstore.clusters.cluster;

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

/** {@code /v1/clusters}. */
@Path("/v1/clusters")
@Tag(name = "clusters")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.FLEET)
public class ClusterResource {
    private final Clusters clusters;
    private final Patches patches;
    private final Callers callers;

    ClusterResource(Clusters clusters, Patches patches, Callers callers) {
        this.clusters = clusters;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listClusters", summary = "Clusters, by name")
    public Page<ClusterView> list(
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("region") @Nullable String region,
            @QueryParam("state") @Schema(implementation = ClusterState.class) @Nullable String state,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        callers.current().requireSeesPlatform();
        return clusters.page(cursor, region, Filter.word(ClusterState.class, "state", state), PageLimit.of(limit));
    }

    @GET
    @Path("{cluster}")
    @Operation(operationId = "getCluster", summary = "One cluster")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ClusterView.class)))
    public Response get(@PathParam("cluster") @Name String cluster) {
        callers.current().requireSeesPlatform();
        ClusterView view = clusters.get(cluster);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{cluster}")
    @Operation(operationId = "putCluster", summary = "Registers a cluster, or changes its state")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ClusterView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ClusterView.class)))
    public Response put(
            @PathParam("cluster") @Name String cluster,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") ClusterSpec spec) {
        return clusters.put(callers.current(), cluster, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{cluster}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchCluster", summary = "Changes some fields of a cluster and keeps all others")
    public Response patch(
            @PathParam("cluster") @Name String cluster,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        caller.requireSeesPlatform();
        return patches.apply(
                        patch,
                        ifMatch,
                        ClusterSpec.class,
                        () -> clusters.get(cluster),
                        (spec, match) -> clusters.put(caller, cluster, spec, match))
                .response();
    }

    @DELETE
    @Path("{cluster}")
    @Operation(operationId = "deleteCluster", summary = "Takes a cluster out that has no processes")
    public void delete(@PathParam("cluster") @Name String cluster, @HeaderParam("If-Match") @Nullable String ifMatch) {
        clusters.delete(callers.current(), cluster, Precondition.of(ifMatch, null));
    }
}
