package dev.kvstore.simulation.control;

import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.clusters.member.Peers;
import dev.kvstore.control.membership.FleetRefresh;
import dev.kvstore.control.membership.MembershipCalls;
import dev.kvstore.control.purge.PurgeCalls;
import dev.kvstore.control.purge.PurgeKeeper;
import dev.kvstore.control.purge.PurgeSpec;
import dev.kvstore.control.resolve.ChangeFeed;
import dev.kvstore.control.resolve.ProbeDealer;
import dev.kvstore.control.security.DataPlanes;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.world.SimulatedHost;
import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * A control plane of the product's own parts: leases, the fleet, and purges. The REST interface, accounts and the
 * change feed are not part of it yet. A thread of the host makes it.
 */
final class ControlPlaneProcess {
    private static final List<String> PRODUCERS =
            List.of("dev.kvstore.control.membership.MembershipProducers", "dev.kvstore.control.purge.PurgeProducers");

    private final ProductParts parts = new ProductParts();
    private final AgroalDataSource database;
    private long readAt = Long.MIN_VALUE / 2;

    /** @param nanos gives the nanoseconds of the world */
    ControlPlaneProcess(
            SimulatedHost host,
            SimulatedNetwork network,
            AgroalDataSource database,
            String joinToken,
            LongSupplier nanos) {
        this.database = database;
        PRODUCERS.forEach(parts::producers);
        parts.put(database);
        parts.put(Clock.systemUTC());
        parts.put(new SecureRandom());
        parts.put(new SimpleMeterRegistry());
        parts.put(Optional.of(joinToken));
        parts.leaveOut(ProbeDealer.class);
        // Parts that hear of changes name the interface alone.
        parts.make(ChangeFeed.class);
        network.serve(
                host,
                List.of(
                        parts.get(MembershipCalls.class).bindService(),
                        parts.get(PurgeCalls.class).bindService()),
                List.of(parts.get(DataPlanes.class)),
                List.of());
        var _ = parts.get(Fleets.class).onChange(fleet -> readAt = nanos.getAsLong());
        parts.start(FleetRefresh.class);
        parts.start(PurgeKeeper.class);
    }

    /** Makes a purge, in one transaction, as an admin's call does; does nothing if the database fails. */
    void purge(String id, PurgeSpec what) {
        try {
            var _ = Transactions.run(database, connection -> {
                DataSource joined = SharedConnection.of(connection);
                return ProductParts.call(
                        ProductParts.made("dev.kvstore.control.purge.PurgeJobs", joined), "insert", id, "tenant", what);
            });
        } catch (SQLException e) {
            System.getLogger(ControlPlaneProcess.class.getName()).log(System.Logger.Level.DEBUG, "no purge", e);
        }
    }

    /** The data planes of a cluster as this control plane tells them; empty before it has read the fleet. */
    Optional<ToldFleet> told(String cluster) {
        return parts.get(Fleets.class)
                .snapshot()
                .map(snapshot -> new ToldFleet(
                        snapshot.peersOf(cluster).all().stream()
                                .map(Peers.Peer::instance)
                                .toList(),
                        readAt,
                        snapshot.fleet().at()));
    }
}
