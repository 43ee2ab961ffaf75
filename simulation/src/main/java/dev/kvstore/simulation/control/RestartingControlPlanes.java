package dev.kvstore.simulation.control;

import dev.kvstore.control.purge.PurgeSpec;
import dev.kvstore.simulation.fleet.SimulatedAccount;
import dev.kvstore.simulation.fleet.SimulatedNetwork;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Control planes on one database, each started again after its end. For the thread of its world. */
public final class RestartingControlPlanes {
    /** The join token of the whole platform. */
    public static final String JOIN_TOKEN = "not-a-secret-since-it-stands-here";

    public static final String CLUSTER = "main";

    /** SQL that gives each history the same rows: a region, and a cluster in it. */
    private static final List<String> ROWS = List.of(
            "alter sequence purge_version restart",
            "alter sequence purge_claim restart",
            "insert into pulse (at, evicted_at) values (now(), now())",
            "insert into region (name, display_name, created_at, version) values ('here', 'Here', now(), 1)",
            "insert into cluster (name, region, state, created_at, updated_at, version) values ('" + CLUSTER
                    + "', 'here', 'ACTIVE', now(), now(), 1)",
            "insert into tenant (name, display_name, state, created_at, updated_at, version) values ('tenant', 'Tenant',"
                    + " 'ACTIVE', now(), now(), 1)",
            "insert into account (resource_name, tenant, home_region, state, operations, bytes_per_second, created_at,"
                    + " updated_at, version, allowed_regions, avoided_regions) values ('" + SimulatedAccount.RESOURCE
                    + "', 'tenant', 'here', 'ACTIVE', 0, 0, now(), now(), 1, '{}', '{}')",
            "insert into replica (resource_name, region, endpoint, container, credential, create_container, vouched,"
                    + " nonce, state, probe_after, proven, attempt) values ('" + SimulatedAccount.RESOURCE
                    + "', 'here', 'file://" + SimulatedAccount.FOLDER
                    + "', '', '', false, false, 'nonce', 'READY', now(), true, 'attempt')");

    private final World world;
    private final SimulatedNetwork network;
    private final SimulatedDatabase database;
    private final SimulatedHost operator;
    private final List<ControlPlaneOfName> all = new ArrayList<>();

    /** The name of a control plane, and the process that has the name now. */
    private static final class ControlPlaneOfName {
        private final String name;
        private @Nullable SimulatedHost host;
        private @Nullable ControlPlaneProcess process;

        ControlPlaneOfName(String name) {
            this.name = name;
        }
    }

    public RestartingControlPlanes(World world, SimulatedNetwork network, List<String> names) {
        this.world = world;
        this.network = network;
        this.database = new SimulatedDatabase(world, ROWS);
        this.operator = new SimulatedHost(world, "operator of control planes");
        for (int i = 0; i < names.size(); i++) {
            all.add(new ControlPlaneOfName(names.get(i)));
            start(i);
        }
    }

    private void start(int plane) {
        ControlPlaneOfName named = all.get(plane);
        SimulatedHost host = new SimulatedHost(world, named.name);
        named.host = host;
        host.execute(() ->
                named.process = new ControlPlaneProcess(host, network, database.pool(host), JOIN_TOKEN, world::nanos));
    }

    public SimulatedDatabase database() {
        return database;
    }

    /** The process of a control plane; null while there is none. */
    public @Nullable SimulatedHost host(int plane) {
        return all.get(plane).host;
    }

    /** Ends a process at once. */
    public void kill(int plane, long downNanos) {
        ControlPlaneOfName named = all.get(plane);
        SimulatedHost host = named.host;
        if (host == null) {
            return;
        }
        host.kill();
        named.host = null;
        named.process = null;
        network.cut(host);
        database.gone(host);
        var _ = world.alarm(operator, downNanos, () -> start(plane));
    }

    /** Begins a purge at a control plane that runs: at this one, or else at another one. */
    public void purge(int plane, String id, PurgeSpec what) {
        for (int i = 0; i < all.size(); i++) {
            ControlPlaneOfName named = all.get((plane + i) % all.size());
            SimulatedHost host = named.host;
            ControlPlaneProcess process = named.process;
            if (host != null && process != null) {
                host.execute(() -> process.purge(id, what));
                return;
            }
        }
    }

    /** The data planes as a control plane tells them; empty if it does not run, or has not read them. */
    public Optional<ToldFleet> told(int plane) {
        ControlPlaneProcess process = all.get(plane).process;
        return process == null ? Optional.empty() : process.told(CLUSTER);
    }
}
