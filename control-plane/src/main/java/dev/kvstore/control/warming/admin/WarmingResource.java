package dev.kvstore.control.warming.admin;

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
import dev.kvstore.control.warming.Command;
import dev.kvstore.control.warming.WarmingState;
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

/** {@code /v1/warmings}. */
@Path("/v1/warmings")
@Tag(name = "warming")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class WarmingResource {
    private final Warmings warmings;
    private final WaitingCalls waiting;
    private final Callers callers;

    WarmingResource(Warmings warmings, WaitingCalls waiting, Callers callers) {
        this.warmings = warmings;
        this.waiting = waiting;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listWarmings", summary = "Warmings, the latest first")
    public Page<WarmingView> list(
            @QueryParam("account") @Nullable @ResourceName String account,
            @QueryParam("state") @Schema(implementation = WarmingState.class) @Nullable String state,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return warmings.page(
                callers.current(),
                account,
                Filter.word(WarmingState.class, "state", state),
                cursor,
                PageLimit.of(limit));
    }

    @POST
    @Operation(operationId = "createWarming", summary = "Copies blocks of an account into another region")
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = WarmingView.class)))
    public Response create(@Valid @NotNull(message = "is missing") WarmingSpec spec) {
        WarmingView made = warmings.create(callers.current(), spec);
        return Response.status(Response.Status.CREATED).entity(made).build();
    }

    @GET
    @Path("{warming}")
    @Operation(
            operationId = "getWarming",
            summary = "How far a warming is; with wait, once it has ended or the time is over")
    public WarmingView get(@PathParam("warming") @Name String warming, @QueryParam("wait") @Nullable String wait) {
        Caller caller = callers.current();
        return waiting.until(
                caller,
                "warming/" + warming,
                WaitTime.of(wait),
                () -> warmings.get(caller, warming),
                view -> view.state().isOver());
    }

    @GET
    @Path("{warming}/failures")
    @Operation(operationId = "listWarmingFailures", summary = "Blocks that could not be copied, and why")
    public Page<FailureView> failures(
            @PathParam("warming") @Name String warming,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return warmings.failures(callers.current(), warming, cursor, PageLimit.of(limit));
    }

    @POST
    @Path("{warming}/pause")
    @Operation(operationId = "pauseWarming", summary = "Has a warming wait: what is under way ends within seconds")
    public WarmingView pause(@PathParam("warming") @Name String warming) {
        return warmings.obey(callers.current(), warming, Command.PAUSE);
    }

    @POST
    @Path("{warming}/resume")
    @Operation(operationId = "resumeWarming", summary = "Has a warming go on where it was")
    public WarmingView resume(@PathParam("warming") @Name String warming) {
        return warmings.obey(callers.current(), warming, Command.RESUME);
    }

    @POST
    @Path("{warming}/cancel")
    @Operation(operationId = "cancelWarming", summary = "Ends a warming; what was copied stays")
    public WarmingView cancel(@PathParam("warming") @Name String warming) {
        return warmings.obey(callers.current(), warming, Command.CANCEL);
    }
}
