package dev.kvstore.clusters.process;

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
import jakarta.ws.rs.POST;
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

/** {@code /v1/clusters/{cluster}/processes}. */
@Path("/v1/clusters/{cluster}/processes")
@Tag(name = "processes")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.FLEET)
public class ProcessResource {
    private final Processes processes;
    private final Patches patches;
    private final Callers callers;

    ProcessResource(Processes processes, Patches patches, Callers callers) {
        this.processes = processes;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listProcesses", summary = "A cluster's data-plane processes, by name")
    public Page<ProcessView> list(
            @PathParam("cluster") @Name String cluster,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        callers.current().requireSeesPlatform();
        return processes.page(cluster, cursor, PageLimit.of(limit));
    }

    @GET
    @Path("{process}")
    @Operation(operationId = "getProcess", summary = "One process")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ProcessView.class)))
    public Response get(@PathParam("cluster") @Name String cluster, @PathParam("process") @ProcessName String process) {
        callers.current().requireSeesPlatform();
        ProcessView view = processes.get(cluster, process);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{process}")
    @Operation(operationId = "putProcess", summary = "Registers a process, or changes it")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ProcessView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ProcessView.class)))
    public Response put(
            @PathParam("cluster") @Name String cluster,
            @PathParam("process") @ProcessName String process,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") ProcessSpec spec) {
        return processes
                .put(callers.current(), cluster, process, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{process}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchProcess", summary = "Changes some fields of a process and keeps all others")
    public Response patch(
            @PathParam("cluster") @Name String cluster,
            @PathParam("process") @ProcessName String process,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        caller.requireSeesPlatform();
        return patches.apply(
                        patch,
                        ifMatch,
                        ProcessSpec.class,
                        () -> processes.get(cluster, process),
                        (spec, match) -> processes.put(caller, cluster, process, spec, match))
                .response();
    }

    @POST
    @Path("{process}/refresh")
    @Operation(
            operationId = "refreshProcess",
            summary = "Has a process forget what it keeps about accounts, with its next heartbeat")
    public ProcessView refresh(
            @PathParam("cluster") @Name String cluster, @PathParam("process") @ProcessName String process) {
        return processes.refresh(callers.current(), cluster, process);
    }

    @DELETE
    @Path("{process}")
    @Operation(operationId = "deleteProcess", summary = "Takes a process out")
    public void delete(
            @PathParam("cluster") @Name String cluster,
            @PathParam("process") @ProcessName String process,
            @HeaderParam("If-Match") @Nullable String ifMatch) {
        processes.delete(callers.current(), cluster, process, Precondition.of(ifMatch, null));
    }
}
