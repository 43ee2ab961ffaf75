package dev.kvstore.clusters.lease;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The processes that a data plane may speak for. Immutable.
 *
 * @param cluster the cluster of the processes; null for the processes of all clusters
 * @param node the machine or pod of the processes; null for the processes of the whole cluster
 */
public record ProcessScope(
        @Nullable String cluster, @Nullable String node) {
    /** All processes. */
    public static final ProcessScope ALL = new ProcessScope(null, null);

    /** The end of a process' name that {@code kv node up} gives: a port that needs no privilege. */
    private static final Pattern PORT = Pattern.compile("-[1-9][0-9]{3,4}");

    /** The processes of a cluster. */
    public static ProcessScope of(String cluster) {
        return new ProcessScope(cluster, null);
    }

    /** Whether the scope covers a process. */
    public boolean covers(String ofCluster, String process) {
        if (cluster == null) {
            return true;
        }
        return cluster.equals(ofCluster) && (node == null || isOn(node, process));
    }

    private static boolean isOn(String node, String process) {
        return process.equals(node)
                || (process.startsWith(node)
                        && PORT.matcher(process.substring(node.length())).matches());
    }

    @Override
    public String toString() {
        if (cluster == null) {
            return "every cluster";
        }
        return node == null ? "cluster " + cluster : "node " + node + " of cluster " + cluster;
    }
}
