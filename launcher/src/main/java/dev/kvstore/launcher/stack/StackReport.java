package dev.kvstore.launcher.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * Where a running stack is found and with which key: for people as text, for programs as JSON with these names.
 *
 * @param dataPlanes host:port each
 * @param resourceName under which clients find the storage
 * @param metrics URLs, one per data plane
 * @param storage {@code filesystem} or {@code azurite}
 * @param storagePlace the folder or the address
 * @param folder that holds everything of the stack
 * @param pids of the data planes' processes, as they were when all was ready
 */
public record StackReport(
        List<String> dataPlanes,
        String resourceName,
        String apiKey,
        List<String> metrics,
        String storage,
        String storagePlace,
        String folder,
        List<Long> pids) {
    public static StackReport of(LocalStack stack, StackOptions options) {
        return new StackReport(
                stack.endpoints(),
                LocalStack.RESOURCE,
                stack.key().text(),
                stack.dataPlanes().stream()
                        .map(dataPlane -> dataPlane.metricsUrl().toString())
                        .toList(),
                options.storage().toString(),
                stack.storagePlace(),
                options.folder().toString(),
                stack.dataPlanes().stream()
                        .map(dataPlane -> dataPlane.process().pid())
                        .toList());
    }

    /** For programs. It holds the key. */
    public String json() {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of text and numbers is JSON", e);
        }
    }

    /** For people. */
    public String text() {
        return """
                KV Store is up.

                  data planes   %s
                  resource      %s
                  API key       %s
                  metrics       %s
                  storage       %s: %s
                  folder        %s

                In Java:
                  KvClient.builder().endpoints("%s").resource("%s").apiKey("%s").build()

                Ctrl-C stops it; what was stored stays in the folder.
                """.formatted(
                        String.join("  ", dataPlanes),
                        resourceName,
                        apiKey,
                        String.join("  ", metrics),
                        storage,
                        storagePlace,
                        folder,
                        String.join("\", \"", dataPlanes),
                        resourceName,
                        apiKey);
    }
}
