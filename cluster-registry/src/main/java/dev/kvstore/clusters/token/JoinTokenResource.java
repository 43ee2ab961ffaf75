package dev.kvstore.clusters.token;

import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.PageLimit;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.repeat.SafeToRepeat;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.Valid;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/clusters/{cluster}/join-tokens}. */
@Path("/v1/clusters/{cluster}/join-tokens")
@Tag(name = "join-tokens")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.FLEET)
public class JoinTokenResource {
    private final JoinTokens tokens;
    private final Callers callers;

    JoinTokenResource(JoinTokens tokens, Callers callers) {
        this.tokens = tokens;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listJoinTokens", summary = "A cluster's join tokens, by id, without their secrets")
    public Page<JoinTokenView> list(
            @PathParam("cluster") @Name String cluster,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        callers.current().requireSeesPlatform();
        return tokens.page(cluster, cursor, PageLimit.of(limit));
    }

    @GET
    @Path("{token}")
    @Operation(operationId = "getJoinToken", summary = "One join token, without its secret")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = JoinTokenView.class)))
    public Response get(@PathParam("cluster") @Name String cluster, @PathParam("token") @Name String token) {
        callers.current().requireSeesPlatform();
        JoinTokenView view = tokens.get(cluster, token);
        return PutOutcome.read(view, view.version());
    }

    @POST
    @Operation(
            operationId = "createJoinToken",
            summary = "Makes a join token; this answer alone has its secret, which the caller may choose")
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = NewJoinToken.class)))
    public Response create(
            @PathParam("cluster") @Name String cluster,
            @Valid @Nullable @RequestBody(required = false) JoinTokenSpec spec) {
        NewJoinToken made =
                tokens.create(callers.current(), cluster, spec == null ? new JoinTokenSpec(null, null, null) : spec);
        return Response.status(Response.Status.CREATED).entity(made).build();
    }

    @DELETE
    @Path("{token}")
    @Operation(
            operationId = "revokeJoinToken",
            summary = "Revokes a join token: every control plane refuses it within 3 s")
    public void revoke(
            @PathParam("cluster") @Name String cluster,
            @PathParam("token") @Name String token,
            @HeaderParam("If-Match") @Nullable String ifMatch) {
        tokens.revoke(callers.current(), cluster, token, Precondition.of(ifMatch, null));
    }
}
