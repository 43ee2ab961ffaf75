package dev.kvstore.control.heat;

import dev.kvstore.accounts.resolve.DatabaseWhereabouts;
import dev.kvstore.accounts.resolve.ServingRegions;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Callers;
import dev.kvstore.admin.name.Name;
import dev.kvstore.admin.name.ResourceName;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /v1/accounts/{account}/heat}. */
@Path("/v1/accounts/{account}/heat")
@Tag(name = "warming")
@Authenticated
@RunOnVirtualThread
public class HeatResource {
    private static final String ACCOUNT = "account";

    private final DatabaseWhereabouts whereabouts;
    private final HeatLedger ledger;
    private final HeavyQueries queries;
    private final Callers callers;

    HeatResource(DatabaseWhereabouts whereabouts, HeatLedger ledger, HeavyQueries queries, Callers callers) {
        this.whereabouts = whereabouts;
        this.ledger = ledger;
        this.queries = queries;
        this.callers = callers;
    }

    @GET
    @Operation(
            operationId = "getHeat",
            summary = "How much an account's blocks are used in a region, by default its home")
    public HeatView get(
            @PathParam("account") @ResourceName String account, @QueryParam("region") @Nullable @Name String region) {
        Caller caller = callers.current();
        ServingRegions regions = whereabouts.of(account).orElseThrow(() -> caller.notFound(ACCOUNT, account));
        caller.requireSees(regions.tenant(), ACCOUNT, account);
        String where = region == null ? regions.homeRegion() : region;
        HeatLedger.HeatSubject subject = new HeatLedger.HeatSubject(where, account);
        return queries.answer(
                caller.party(),
                subject,
                HeatView.class,
                () -> HeatView.of(account, where, ledger.read(subject).hottest()));
    }
}
