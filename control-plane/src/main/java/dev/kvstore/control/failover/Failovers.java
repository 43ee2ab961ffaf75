package dev.kvstore.control.failover;

import dev.kvstore.accounts.account.AccountReferences;
import dev.kvstore.accounts.account.Accounts;
import dev.kvstore.accounts.resolve.DatabaseReplicas;
import dev.kvstore.accounts.resolve.DatabaseWhereabouts;
import dev.kvstore.accounts.resolve.ServingRegions;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.control.heat.BlockHeat;
import dev.kvstore.control.heat.BlockName;
import dev.kvstore.control.heat.Heats;
import dev.kvstore.control.heat.HeavyQueries;
import dev.kvstore.control.route.Board;
import dev.kvstore.control.warming.Copies;
import dev.kvstore.protocol.heat.Uses;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans failovers, and carries them out. Thread-safe. */
@ApplicationScoped
public class Failovers {
    private static final String ACCOUNT = "account";

    /** After this time, the weight of an earlier use is a four-thousandth. */
    private static final Duration SETTLED = Uses.HALF_LIFE.multipliedBy(12);

    private final DatabaseWhereabouts whereabouts;
    private final DatabaseReplicas replicas;
    private final AccountReferences references;
    private final Accounts accounts;
    private final Heats heats;
    private final Copies copies;
    private final HeavyQueries queries;
    private final Board board;

    Failovers(
            DatabaseWhereabouts whereabouts,
            DatabaseReplicas replicas,
            AccountReferences references,
            Accounts accounts,
            Heats heats,
            Copies copies,
            HeavyQueries queries,
            Board board) {
        this.whereabouts = whereabouts;
        this.replicas = replicas;
        this.references = references;
        this.accounts = accounts;
        this.heats = heats;
        this.copies = copies;
        this.queries = queries;
        this.board = board;
    }

    /**
     * A plan.
     *
     * @param version of the account that it is for
     */
    record FailoverPlan(FailoverView view, long version) {}

    /** Plans a failover of the account as it is now. */
    FailoverPlan plan(Caller caller, String account, String to) {
        ServingRegions known = whereabouts.of(account).orElseThrow(() -> caller.notFound(ACCOUNT, account));
        caller.requireSees(known.tenant(), ACCOUNT, account);
        if (!references.hasRegion(to)) {
            throw ProblemException.invalid("to", "must be a region that is registered");
        }
        String from = known.homeRegion();
        if (to.equals(from)) {
            throw ProblemException.invalid("to", "is the home of " + account + " already");
        }
        if (!known.allowedRegions().isEmpty() && !known.allowedRegions().contains(to)) {
            throw ProblemException.invalid("to", "must be one of the allowed regions of " + account);
        }
        DatabaseReplicas.RegionReplica replica = replicas.of(account, to)
                .orElseThrow(() -> ProblemException.invalid(
                        "to", "must be a region with a replica of " + account + ": add one to the account"));
        int clusters = board.vacancies(to).size();
        return new FailoverPlan(
                queries.inPlace(caller.party(), () -> view(account, from, to, replica, clusters)), known.version());
    }

    private FailoverView view(
            String account, String from, String to, DatabaseReplicas.RegionReplica replica, int clusters)
            throws SQLException {
        List<BlockHeat> hot = heats.hottest(from, account);
        Instant since = replica.since();
        Set<BlockName> known = since == null ? Set.of() : known(account, from, to, since, hot);
        List<BlockHeat> cold =
                hot.stream().filter(block -> !known.contains(block.name())).toList();
        double most = hot.isEmpty() ? 0 : hot.getFirst().uses();
        double all = uses(hot, most);
        return new FailoverView(
                account,
                from,
                to,
                false,
                replica.serves(),
                clusters,
                blocks(hot),
                blocks(cold),
                hot.isEmpty() ? 0 : Math.round(uses(cold, most) / all * 10_000) / 10_000.0,
                copies.open(account, from, to));
    }

    /** The blocks that are known to be in a replica whose storage has not changed since a time. */
    private Set<BlockName> known(String account, String from, String to, Instant since, List<BlockHeat> hot)
            throws SQLException {
        Set<BlockName> known = new HashSet<>(copies.known(account, from, to, since, hot));
        // A block that was used in the region is stored there. Before the replica was ready, another replica served.
        Instant settled = since.plus(SETTLED);
        double least = Uses.at(settled);
        // Very many uses before that time weigh as much as a few uses now.
        heats.hottest(to, account).stream()
                .filter(block -> block.uses() >= least && block.told() >= settled.getEpochSecond())
                .forEach(block -> known.add(block.name()));
        return known;
    }

    /** The sum of uses, in units of the most used block: numbers that a double can hold. */
    private static double uses(List<BlockHeat> blocks, double most) {
        return blocks.stream()
                .mapToDouble(block -> Math.pow(2, block.uses() - most))
                .sum();
    }

    private static FailoverView.Blocks blocks(List<BlockHeat> blocks) {
        return new FailoverView.Blocks(
                blocks.size(), blocks.stream().mapToLong(BlockHeat::bytes).sum());
    }

    /**
     * Carries the failover out, and answers its result.
     *
     * @param precondition the version of the account that the caller expects; without one, the present version
     */
    FailoverView carryOut(
            Caller caller, String account, String to, FailoverSpec spec, @Nullable Precondition precondition) {
        Realm.TENANTS.require(caller);
        FailoverPlan plan = plan(caller, account, to);
        if (!plan.view().ready()) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "the replica of " + account + " in " + to
                            + " has passed no trial yet: see its state in the account");
        }
        if (plan.view().clusters() == 0) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT, "no cluster in " + to + " has a process with a lease: start one there");
        }
        accounts.moveHome(
                caller,
                account,
                to,
                spec.leaves(),
                precondition == null ? new Precondition(List.of(plan.version()), false) : precondition);
        return plan.view().carriedOut();
    }
}
