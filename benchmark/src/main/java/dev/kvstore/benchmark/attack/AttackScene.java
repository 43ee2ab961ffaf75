package dev.kvstore.benchmark.attack;

import dev.kvstore.launcher.stack.LocalStack;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The addresses of the programs under attack, and the credentials that attackers have. Sent to the attacker's process
 * as JSON.
 *
 * @param dataPlane host:port of its gRPC
 * @param controlPlane host:port of its gRPC
 * @param rest the control plane's admin API
 * @param hostile the tenant's resource, key and the folder of its storage
 * @param viewer the token of a viewer of the platform
 * @param tenantAdmin the token of an admin of the hostile tenant
 * @param rogue a data plane of another cluster
 */
record AttackScene(
        String dataPlane,
        String controlPlane,
        String rest,
        Hostile hostile,
        String viewer,
        String tenantAdmin,
        Rogue rogue) {
    /** A tenant that has a key and a storage of its own. */
    record Hostile(String resource, String key, String storage) {
        /** The folder of blobs. */
        Path folder() {
            return Path.of(storage);
        }
    }

    /**
     * A data plane that nobody should have let join.
     *
     * @param token of its own cluster
     * @param homeCluster of the honest clients' processes, in the same region
     * @param warming that another data plane copies; empty if there is none
     */
    record Rogue(String region, String cluster, String token, String homeCluster, String warming) {}

    /** An attacker's view of a running stack. */
    static AttackScene of(LocalStack stack, Hostile hostile, String viewer, String tenantAdmin, Rogue rogue) {
        var control = Objects.requireNonNull(stack.controlPlane());
        return new AttackScene(
                stack.dataPlane(0).endpoint(),
                control.address(),
                control.restUrl().toString(),
                hostile,
                viewer,
                tenantAdmin,
                rogue);
    }
}
