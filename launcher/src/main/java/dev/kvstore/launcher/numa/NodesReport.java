package dev.kvstore.launcher.numa;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** The data planes of {@code kv node up} for programs, as JSON with these names. */
record NodesReport(List<Node> nodes) {
    /**
     * A data plane on its node.
     *
     * @param numaNode the number of the node
     * @param endpoint host:port of gRPC
     * @param http host:port of health and metrics
     * @param cpus such as {@code 0-3,8-11}; empty if they are not known
     * @param memoryBytes bytes that it may take
     * @param pinning {@code numactl}, {@code taskset}, {@code windows} or {@code none}
     * @param pid of the process that serves now
     * @param restarts the number of its restarts
     */
    record Node(
            int numaNode,
            String endpoint,
            String http,
            String cpus,
            long memoryBytes,
            String pinning,
            long pid,
            int restarts) {}

    String json() {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of text and numbers is JSON", e);
        }
    }
}
