package dev.kvstore.control.route;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
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

/** {@code /v1/routes}. */
@Path("/v1/routes")
@Tag(name = "routes")
@Authenticated
@RunOnVirtualThread
public class RouteResource {
    private static final String ACCOUNT = "account";

    private final AccountPlacer accounts;
    private final Board board;
    private final Callers callers;

    RouteResource(AccountPlacer accounts, Board board, Callers callers) {
        this.accounts = accounts;
        this.board = board;
        this.callers = callers;
    }

    @GET
    @Path("{account}")
    @Operation(operationId = "getRoute", summary = "Which processes serve an account for a client, and why")
    public RouteView get(
            @PathParam("account") @ResourceName String account,
            @QueryParam("region") @Nullable @Name String region,
            @QueryParam("explain") @Schema(implementation = Boolean.class) @Nullable String explain) {
        Caller caller = callers.current();
        if (explain != null && !explain.equals("true") && !explain.equals("false")) {
            throw ProblemException.invalid("explain", "must be true or false");
        }
        AccountPlacer.Routed routed =
                accounts.find(account, false).orElseThrow(() -> caller.notFound(ACCOUNT, account));
        caller.requireSees(routed.tenant(), ACCOUNT, account);
        Board.Explained explained = board.explained(
                        routed.constraints(), region == null ? "" : region, caller.tenant() == null)
                .orElseThrow(() -> ProblemException.of(ProblemKind.UNAVAILABLE, "the fleet has not been read yet"));
        return RouteView.of(account, explained.answer().route(), "true".equals(explain) ? explained.reasons() : null);
    }
}
