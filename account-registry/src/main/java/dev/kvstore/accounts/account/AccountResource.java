package dev.kvstore.accounts.account;

import dev.kvstore.admin.body.MergePatch;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.admin.page.Filter;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.PageLimit;
import dev.kvstore.admin.page.Patches;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.repeat.SafeToRepeat;
import dev.kvstore.admin.waiting.WaitTime;
import dev.kvstore.admin.waiting.WaitingCalls;
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

/** {@code /v1/accounts}. */
@Path("/v1/accounts")
@Tag(name = "accounts")
@Authenticated
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@SafeToRepeat(Realm.TENANTS)
public class AccountResource {
    private final Accounts accounts;
    private final Probes probes;
    private final WaitingCalls waiting;
    private final Patches patches;
    private final Callers callers;

    AccountResource(Accounts accounts, Probes probes, WaitingCalls waiting, Patches patches, Callers callers) {
        this.accounts = accounts;
        this.probes = probes;
        this.waiting = waiting;
        this.patches = patches;
        this.callers = callers;
    }

    @GET
    @Operation(operationId = "listAccounts", summary = "Storage accounts, by resource name")
    public Page<AccountView> list(
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("tenant") @Nullable String tenant,
            @QueryParam("region") @Nullable String region,
            @QueryParam("state") @Schema(implementation = AccountState.class) @Nullable String state,
            @QueryParam("limit") @Schema(implementation = Integer.class) @Nullable String limit) {
        return accounts.page(
                callers.current(),
                cursor,
                tenant,
                region,
                Filter.word(AccountState.class, "state", state),
                PageLimit.of(limit));
    }

    @GET
    @Path("{account}")
    @Operation(
            operationId = "getAccount",
            summary = "One storage account, and whether it can be used; with wait, once it can or the time is over")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = AccountView.class)))
    public Response get(@PathParam("account") @ResourceName String account, @QueryParam("wait") @Nullable String wait) {
        Caller caller = callers.current();
        AccountView view = waiting.until(
                caller, account, WaitTime.of(wait), () -> accounts.get(caller, account), AccountView::settled);
        return PutOutcome.read(view, view.version());
    }

    @PUT
    @Path("{account}")
    @Operation(operationId = "putAccount", summary = "Registers a storage account, or changes it")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = AccountView.class)))
    @APIResponse(
            responseCode = "201",
            description = "Made",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = AccountView.class)))
    public Response put(
            @PathParam("account") @ResourceName String account,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @HeaderParam("If-None-Match") @Nullable String ifNoneMatch,
            @Valid @NotNull(message = "must be a JSON object") AccountSpec spec) {
        return accounts.put(callers.current(), account, spec, Precondition.of(ifMatch, ifNoneMatch))
                .response();
    }

    @PATCH
    @Path("{account}")
    @Consumes({MergePatch.MEDIA_TYPE, MediaType.APPLICATION_JSON})
    @Operation(operationId = "patchAccount", summary = "Changes some fields of a storage account and keeps all others")
    public Response patch(
            @PathParam("account") @ResourceName String account,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @NotNull(message = "must be a JSON object") MergePatch patch) {
        Caller caller = callers.current();
        return patches.apply(
                        patch,
                        ifMatch,
                        AccountSpec.class,
                        () -> accounts.get(caller, account),
                        (spec, match) -> accounts.put(caller, account, spec, match))
                .response();
    }

    @PUT
    @Path("{account}/limits")
    @Operation(operationId = "putLimits", summary = "Says what an account may take of a data plane")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = AccountView.class)))
    public Response limit(
            @PathParam("account") @ResourceName String account,
            @HeaderParam("If-Match") @Nullable String ifMatch,
            @Valid @NotNull(message = "must be a JSON object") Limits limits) {
        return accounts.limit(callers.current(), account, limits, Precondition.of(ifMatch, null))
                .response();
    }

    @POST
    @Path("{account}/probe")
    @Operation(operationId = "probeAccount", summary = "Has the account's storage tried again now, ready or not")
    @APIResponse(responseCode = "202", description = "A data plane will try it")
    public Response probe(@PathParam("account") @ResourceName String account) {
        probes.again(callers.current(), account);
        return Response.accepted().build();
    }

    @DELETE
    @Path("{account}")
    @Operation(
            operationId = "deleteAccount",
            summary = "Ends an account: its name stays its tenant's, its limits stay, its storage is not touched")
    public void delete(
            @PathParam("account") @ResourceName String account, @HeaderParam("If-Match") @Nullable String ifMatch) {
        accounts.delete(callers.current(), account, Precondition.of(ifMatch, null));
    }
}
