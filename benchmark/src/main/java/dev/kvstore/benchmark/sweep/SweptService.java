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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The service that is measured.
 *
 * @param name for people
 * @param dataPlanes of a stack of our own; none of a service that somebody else runs
 * @param folder of a stack whose storage is in it; null if blocks stay where they are
 */
record SweptService(
        String name,
        ServiceAccess access,
        List<StackDataPlane> dataPlanes,
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
                stack.dataPlanes(),
                storage.kind == StorageKind.FILESYSTEM ? folder : null);
    }

    /**
     * A service that somebody else runs. Each of its data planes is asked once.
     *
     * @throws LaunchException if one does not answer, or refuses
     */
    static SweptService running(ServiceAccess access, StoredPrompts stock) {
        access.reach("--endpoint", stock.where(), stock.prompt(0).chain());
        return new SweptService(
                "a running service at " + String.join(", ", access.endpoints()), access, List.of(), null);
    }

    /** The work of its data planes so far; null where the service does not show it. */
    @Nullable
    DataPlaneUse used() {
        return dataPlanes.isEmpty() ? null : DataPlaneUse.of(dataPlanes);
    }

    /** Deletes the blocks of a partition, where that can be done; its data planes still write its presence files. */
    void empty(String partition) throws IOException {
        if (folder != null) {
            StoredBlocks.putAside(folder.resolve("storage"), Partition.of(partition), folder.resolve("aside"));
        }
    }
}
