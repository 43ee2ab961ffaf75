package dev.kvstore.control.failover;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.repeat.SafeToRepeat;
import dev.kvstore.control.heat.TakesHeavyPlace;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
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

/** {@code /v1/accounts/{account}/failover/{to}}. */
@Path("/v1/accounts/{account}/failover/{to}")
@Tag(name = "warming")
@Authenticated
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class FailoverResource {
    private final Failovers failovers;
    private final Callers callers;

    FailoverResource(Failovers failovers, Callers callers) {
        this.failovers = failovers;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "planFailover", summary = "What would be cold if another region were an account's home")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = FailoverView.class)))
    public Response plan(@PathParam("account") @ResourceName String account, @PathParam("to") @Name String to) {
        Failovers.FailoverPlan plan = failovers.plan(callers.current(), account, to);
        return PutOutcome.read(plan.view(), plan.version());
    }

    @POST
    @TakesHeavyPlace
    @Operation(operationId = "failOver", summary = "Makes another region an account's home")
    public FailoverView failOver(
            @PathParam("account") @ResourceName String account,
            @PathParam("to") @Name String to,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @Valid @NotNull(message = "must be a JSON object") FailoverSpec spec) {
        return failovers.carryOut(
                callers.current(), account, to, spec, ifMatch == null ? null : Precondition.of(ifMatch, null));
    }
}
