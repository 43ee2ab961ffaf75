package dev.kvstore.launcher.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The addresses and the key of a running stack with a control plane: as text for people, as JSON with these names for
 * programs.
 *
 * @param restUrl the control plane's URL for admins
 * @param controlPlane its address for data planes, host:port
 * @param adminToken the token with which its bearer may do everything
 * @param dataPlanes the addresses of the data planes, host:port each
 * @param resourceName the name under which clients find the storage
 * @param metrics the URLs of metrics, one per data plane
 * @param storage {@code filesystem} or {@code azurite}
 * @param storagePlace the folder or the address
 * @param folder the folder with everything of the stack
 * @param regions the first is the account's home
 * @param pids the ids of the data planes' processes at the time when all were ready
 */
public record StackReport(
        String restUrl,
        String controlPlane,
        String adminToken,
        List<String> dataPlanes,
        String resourceName,
        String apiKey,
        List<String> metrics,
        String storage,
        String storagePlace,
        String folder,
        List<StackRegion> regions,
        List<Long> pids) {
    /**
     * A region of the stack.
     *
     * @param dataPlanes the addresses of its data planes, host:port each
     */
    public record StackRegion(String name, List<String> dataPlanes) {}

    /**
     * @throws NullPointerException if the stack has no control plane
     */
    public static StackReport of(LocalStack stack, StackOptions options) {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        return new StackReport(
                control.restUrl().toString(),
                control.address(),
                control.adminToken().text(),
                stack.endpoints(),
                LocalStack.RESOURCE,
                stack.key().text(),
                stack.dataPlanes().stream()
                        .map(dataPlane -> dataPlane.metricsUrl().toString())
                        .toList(),
                options.storage().toString(),
                stack.storagePlace(),
                options.folder().toString(),
                stack.layout().regions().stream()
                        .map(region -> new StackRegion(
                                region.name(),
                                stack.dataPlanes(region.name()).stream()
                                        .map(StackDataPlane::endpoint)
                                        .toList()))
                        .toList(),
                stack.dataPlanes().stream()
                        .map(dataPlane -> dataPlane.process().pid())
                        .toList());
    }

    private String line(StackRegion region) {
        String where = regions.size() == 1 ? "" : region.name() + ": ";
        return "  data planes   " + where + String.join("  ", region.dataPlanes());
    }

    /** The report as JSON for programs, with key and token. */
    public String json() {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of text and numbers is JSON", e);
        }
    }

    /** The report as text for people. */
    public String text() {
        return """
                KV Store is up.

                  REST          %s
                  control plane %s
                  admin token   %s
                %s
                  resource      %s
                  API key       %s
                  metrics       %s
                  storage       %s: %s
                  folder        %s

                In Java:
                  KvClient.builder().controlPlane("%s").region("%s")
                      .resource("%s").apiKey("%s").build()

                In Python and in engines, from another shell:
                  export KV_CONTROL_PLANE=%s KV_REGION=%s KV_RESOURCE=%s KV_API_KEY=%s

                As its admin, from another shell:
                  export KVSTORE_ADMIN_TOKEN=%s KVSTORE_URL=%s
                  ./kv admin get accounts

                Ctrl-C stops it; what was stored stays in the folder.
                """.formatted(
                        restUrl,
                        controlPlane,
                        adminToken,
                        regions.stream().map(this::line).collect(Collectors.joining("\n")),
                        resourceName,
                        apiKey,
                        String.join("  ", metrics),
                        storage,
                        storagePlace,
                        folder,
                        controlPlane,
                        regions.getFirst().name(),
                        resourceName,
                        apiKey,
                        controlPlane,
                        regions.getFirst().name(),
                        resourceName,
                        apiKey,
                        adminToken,
                        restUrl);
    }
}
