package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The service that is measured.
 *
 * @param name for people
 * @param metrics the pages of its data planes' metrics; none if they are not to be seen
 * @param folder of a stack whose storage is in it; null if blocks stay where they are
 */
record SweptService(
        String name,
        ServiceAccess access,
        List<URI> metrics,
        @Nullable Path folder) {
    /** The storage of a stack of our own. */
    record OwnStorage(StorageKind kind, StorageLatency latency) {}

    /** @param detours in front of the data planes */
    static SweptService own(LocalStack stack, Path folder, OwnStorage storage, Detours detours) throws IOException {
        List<String> endpoints = new ArrayList<>();
        for (String endpoint : stack.endpoints()) {
            endpoints.add(detours.endpoint(endpoint));
        }
        String planes = endpoints.size() + (endpoints.size() == 1 ? " data plane" : " data planes");
        String latency = storage.latency.equals(StorageLatency.NONE) ? "" : " with " + storage.latency;
        return new SweptService(
                planes + " of this machine over " + storage.kind + " storage" + latency + detours.text(),
                ServiceAccess.local(endpoints, LocalStack.RESOURCE, stack.key().text()),
                stack.dataPlanes().stream().map(StackDataPlane::metricsUrl).toList(),
                storage.kind == StorageKind.FILESYSTEM ? folder : null);
    }

    /**
     * A service that somebody else runs. Each of its data planes, and each page of metrics, is asked once.
     *
     * @throws LaunchException if one does not answer, or refuses
     */
    static SweptService running(ServiceAccess access, List<URI> metrics, StoredPrompts stock) {
        access.reach("--endpoint", stock.where(), stock.prompt(0).chain());
        var _ = DataPlaneUse.read(metrics);
        return new SweptService("a running service at " + String.join(", ", access.endpoints()), access, metrics, null);
    }

    /**
     * The work of its data planes so far; null where the service does not show it.
     *
     * @throws LaunchException if a page of metrics cannot be read
     */
    @Nullable
    DataPlaneUse used() {
        return metrics.isEmpty() ? null : DataPlaneUse.read(metrics);
    }

    /** Deletes the blocks of a partition, where that can be done; its data planes still write its presence files. */
    void empty(String partition) throws IOException {
        if (folder != null) {
            StoredBlocks.putAside(folder.resolve("storage"), Partition.of(partition), folder.resolve("aside"));
        }
    }
}
