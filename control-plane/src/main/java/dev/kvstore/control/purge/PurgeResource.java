package dev.kvstore.control.purge;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.admin.page.Filter;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.PageLimit;
import dev.kvstore.admin.repeat.SafeToRepeat;
import dev.kvstore.admin.waiting.WaitTime;
import dev.kvstore.admin.waiting.WaitingCalls;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
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

/** {@code /v1/purges}. */
@Path("/v1/purges")
@Tag(name = "purge")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class PurgeResource {
    private final Purges purges;
    private final WaitingCalls waiting;
    private final Callers callers;

    PurgeResource(Purges purges, WaitingCalls waiting, Callers callers) {
        this.purges = purges;
        this.waiting = waiting;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listPurges", summary = "Purges, the latest first")
    public Page<PurgeView> list(
            @QueryParam("account") @Nullable @ResourceName String account,
            @QueryParam("state") @Schema(implementation = PurgeState.class) @Nullable String state,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return purges.page(
                callers.current(), account, Filter.word(PurgeState.class, "state", state), cursor, PageLimit.of(limit));
    }

    @POST
    @Operation(
            operationId = "createPurge",
            summary = "Deletes a block, a partition, or all that a key wrote, in all regions")
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = PurgeView.class)))
    public Response create(@Valid @NotNull(message = "is missing") PurgeSpec spec) {
        PurgeView made = purges.create(callers.current(), spec);
        return Response.status(Response.Status.CREATED).entity(made).build();
    }

    @GET
    @Path("{purge}")
    @Operation(
            operationId = "getPurge",
            summary = "How far a purge is; with wait, once it has ended or the time is over")
    public PurgeView get(@PathParam("purge") @Name String purge, @QueryParam("wait") @Nullable String wait) {
        Caller caller = callers.current();
        return waiting.until(
                caller,
                "purge/" + purge,
                WaitTime.of(wait),
                () -> purges.get(caller, purge),
                view -> view.state().isOver());
    }

    @POST
    @Path("{purge}/cancel")
    @Operation(operationId = "cancelPurge", summary = "Ends a purge; what was deleted stays deleted")
    public PurgeView cancel(@PathParam("purge") @Name String purge) {
        return purges.cancel(callers.current(), purge);
    }
}
