package dev.kvstore.clusters.cluster;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.clusters.address.Address;
import dev.kvstore.clusters.address.AddressPattern;
import dev.kvstore.clusters.region.RegionReferences;
import dev.kvstore.clusters.region.RegionRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clusters: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Clusters {
    private static final String KIND = "cluster";

    private final ClusterRepository clusters;
    private final RegionRepository regions;
    private final ClusterProcesses processes;
    private final RegionReferences references;
    private final ChangeLog changes;
    private final Clock clock;

    Clusters(
            ClusterRepository clusters,
            RegionRepository regions,
            ClusterProcesses processes,
            RegionReferences references,
            ChangeLog changes,
            Clock clock) {
        this.clusters = clusters;
        this.regions = regions;
        this.processes = processes;
        this.references = references;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<ClusterView> page(@Nullable String cursor, @Nullable String region, @Nullable ClusterState state, int limit) {
        return Page.of(
                clusters.page(Cursor.name(cursor), region, state, limit + 1), limit, Cluster::name, ClusterView::of);
    }

    @Transactional
    ClusterView get(String name) {
        return ClusterView.of(find(name));
    }

    private Cluster find(String name) {
        Cluster cluster = clusters.findById(name);
        if (cluster == null) {
            throw ProblemException.notFound(KIND, name);
        }
        return cluster;
    }

    @Transactional
    PutOutcome<ClusterView> put(Caller caller, String name, ClusterSpec spec, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        Cluster known = clusters.findById(name);
        precondition.check(known == null ? null : known.version());
        if (known != null && !known.region().equals(spec.region())) {
            throw ProblemException.invalid("region", "cannot change: it is " + known.region());
        }
        if (!regions.has(spec.region())) {
            throw ProblemException.invalid("region", "must be a region that is registered");
        }
        ClusterView before = known == null ? null : ClusterView.of(known);
        Cluster cluster = known == null ? new Cluster(name, spec.region(), clock.instant()) : known;
        // A client that does not know the field must not open the cluster to all addresses.
        List<String> addresses = spec.addresses() == null ? cluster.addresses() : spec.addresses();
        requirePatterns(addresses);
        cluster.update(
                spec.state() == null ? ClusterState.PROVISIONING : spec.state(),
                addresses,
                advertisedAddress(spec, cluster),
                clock.instant());
        clusters.persistAndFlush(cluster);
        ClusterView after = ClusterView.of(cluster);
        return changes.put(
                caller, new Subject(KIND, name, null), Affected.NONE, before == null, before, after, after.version());
    }

    /**
     * The advertised address to store. A client that does not know the field must not send callers past the cluster's
     * load balancer.
     */
    private static @Nullable String advertisedAddress(ClusterSpec spec, Cluster cluster) {
        String wanted = spec.advertisedAddress();
        if (wanted == null) {
            return cluster.advertisedAddress();
        }
        if (wanted.equals(ClusterSpec.NO_ADDRESS)) {
            return null;
        }
        if (!Address.isOne(wanted) && !Address.isHost(wanted)) {
            throw ProblemException.invalid("advertisedAddress", Address.SHAPE + ", a host alone, or none");
        }
        return wanted;
    }

    private static void requirePatterns(List<String> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            try {
                var _ = AddressPattern.of(addresses.get(i));
            } catch (IllegalArgumentException e) {
                throw ProblemException.invalid("addresses[" + i + "]", AddressPattern.SHAPE);
            }
        }
    }

    @Transactional
    void delete(Caller caller, String name, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        Cluster cluster = find(name);
        precondition.check(cluster.version());
        if (processes.countIn(name) > 0) {
            throw ProblemException.of(ProblemKind.CONFLICT, name + " has processes: delete them first");
        }
        long placed = references.accountsOn(name);
        if (placed > 0) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    placed + " accounts are placed on " + name + ": delete their placements first");
        }
        clusters.delete(cluster);
        changes.delete(caller, new Subject(KIND, name, null), ClusterView.of(cluster), Affected.NONE);
    }
}
