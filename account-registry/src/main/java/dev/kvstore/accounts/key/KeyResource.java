package dev.kvstore.accounts.key;

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
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/tenants/{tenant}/keys}. */
@Path("/v1/tenants/{tenant}/keys")
@Tag(name = "keys")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class KeyResource {
    private final Keys keys;
    private final KeyMaker maker;
    private final ChosenKeys chosen;
    private final Patches patches;
    private final Callers callers;

    KeyResource(Keys keys, KeyMaker maker, ChosenKeys chosen, Patches patches, Callers callers) {
        this.keys = keys;
        this.chosen = chosen;
        this.maker = maker;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listKeys", summary = "A tenant's keys, by id, without their secrets")
    public Page<KeyView> list(
            @PathParam("tenant") @Name String tenant,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return keys.page(callers.current(), tenant, cursor, PageLimit.of(limit));
    }

    @GET
    @Path("{key}")
    @Operation(operationId = "getKey", summary = "One key, without its secret")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = KeyView.class)))
    public Response get(@PathParam("tenant") @Name String tenant, @PathParam("key") @Name String key) {
        KeyView view = keys.get(callers.current(), tenant, key);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{key}")
    @Operation(
            operationId = "putKey",
            summary = "Makes a key whose id and secret the caller chooses, or changes its label and end")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = KeyView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = KeyView.class)))
    public Response put(
            @PathParam("tenant") @Name String tenant,
            @PathParam("key") @KeyId String key,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") ChosenKeySpec spec) {
        return chosen.put(callers.current(), tenant, key, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{key}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchKey", summary = "Changes some fields of a key and keeps all others")
    public Response patch(
            @PathParam("tenant") @Name String tenant,
            @PathParam("key") @Name String key,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        return patches.apply(
                        patch,
                        ifMatch,
                        ChosenKeySpec.class,
                        () -> keys.get(caller, tenant, key),
                        (spec, match) -> chosen.put(caller, tenant, key, spec, match))
                .response();
    }

    @POST
    @Operation(operationId = "createKey", summary = "Makes a key; this answer alone has its secret")
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = NewKey.class)))
    public Response create(
            @PathParam("tenant") @Name String tenant, @Valid @Nullable @RequestBody(required = false) KeySpec spec) {
        NewKey key = maker.create(callers.current(), tenant, spec == null ? new KeySpec(null, null) : spec);
        return Response.status(Response.Status.CREATED).entity(key).build();
    }

    @POST
    @Path("{key}/rotate")
    @Operation(operationId = "rotateKey", summary = "Makes a key in place of another, which stays good for a while")
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content = @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = NewKey.class)))
    public Response rotate(
            @PathParam("tenant") @Name String tenant,
            @PathParam("key") @Name String key,
            @Valid @Nullable @RequestBody(required = false) RotationSpec spec) {
        NewKey made = maker.rotate(callers.current(), tenant, key, spec == null ? new RotationSpec(null) : spec);
        return Response.status(Response.Status.CREATED).entity(made).build();
    }

    @DELETE
    @Path("{key}")
    @Operation(operationId = "revokeKey", summary = "Revokes a key: every data plane refuses it within 5 s")
    public void revoke(
            @PathParam("tenant") @Name String tenant,
            @PathParam("key") @Name String key,
            @HeaderParam("If-Match") @Nullable String ifMatch) {
        keys.revoke(callers.current(), tenant, key, Precondition.of(ifMatch, null));
    }
}
