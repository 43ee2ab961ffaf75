package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;

/**
 * The addresses of the programs under attack, and the credentials that attackers have. Sent to the attacker's process
 * as JSON.
 *
 * @param dataPlane host:port of its gRPC
 * @param controlPlane host:port of its gRPC
 * @param rest the control plane's admin API
 * @param resource of the hostile tenant
 * @param key of the hostile tenant
 * @param storage the folder of the hostile tenant's blobs
 * @param viewer the token of a viewer of the platform
 * @param tenantAdmin the token of an admin of the hostile tenant
 * @param region where all clusters are
 * @param rogueToken of the cluster {@link Stages#CLUSTER}, of a data plane that nobody should have let join
 * @param homeCluster of the honest clients' processes
 * @param warming that another data plane copies; empty if there is none
 */
record AttackScene(
        String dataPlane,
        String controlPlane,
        String rest,
        String resource,
        String key,
        String storage,
        String viewer,
        String tenantAdmin,
        String region,
        String rogueToken,
        String homeCluster,
        String warming) {
    /** Where the gRPC of a target is. */
    String endpoint(AttackTarget target) {
        return target == AttackTarget.DATA_PLANE ? dataPlane : controlPlane;
    }
}
