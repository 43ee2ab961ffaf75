package dev.kvstore.launcher.numa;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** The data planes of {@code kv node up}, for programs: JSON with these names. */
record NodesReport(List<Node> nodes) {
    /**
     * One process.
     *
     * @param numaNode its number
     * @param endpoint host:port of gRPC
     * @param http host:port of health and metrics
     * @param cpus as in {@code 0-3,8-11}; empty where the machine does not tell
     * @param memoryBytes bytes that it may take
     * @param pinning {@code numactl}, {@code taskset}, {@code windows} or {@code none}
     * @param pid of the process that serves now
     * @param restarts how often it was started again
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
