package dev.kvstore.control.membership;

/**
 * Decides which clusters of a region may get work on an account: the cluster on which the account is placed there;
 * another one only if the account is not pinned, and the placed cluster has no data plane with a lease; any cluster if
 * the account is placed on none. So a cluster that has nothing to do with an account cannot claim to have done its
 * work. Stateless.
 */
public final class PlacedWork {
    private PlacedWork() {}

    /**
     * An SQL condition that holds if a cluster may get the work. The condition's parameter
     * {@code :cluster} is the name of the cluster.
     *
     * @param account the column with the name of the account
     * @param region the column with the region
     */
    public static String condition(String account, String region) {
        return """
                not exists (select from placement pl where pl.resource_name = %s and pl.region = %s and pl.cluster <> :cluster
                    and (pl.pinned or exists (select from lease ll join heartbeat lh on lh.lease = ll.id
                        where ll.cluster = pl.cluster and lh.ends_at > now())))""".formatted(account, region);
    }
}
