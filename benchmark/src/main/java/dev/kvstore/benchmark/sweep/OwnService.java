package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Data planes of this machine over a storage of this machine, in a folder that goes with them. */
final class OwnService implements Service {
    /** The storage of the stack. */
    record OwnStorage(StorageKind kind, StorageLatency latency) {}

    private final BenchFolder folder;
    private final OwnStorage storage;
    private final LocalStack stack;
    private final Detours detours;
    private final List<String> endpoints;

    private OwnService(
            BenchFolder folder, OwnStorage storage, LocalStack stack, Detours detours, List<String> endpoints) {
        this.folder = folder;
        this.storage = storage;
        this.stack = stack;
        this.detours = detours;
        this.endpoints = List.copyOf(endpoints);
    }

    /**
     * Starts it.
     *
     * @param folder is the caller's to delete, after the service was closed
     * @param detours closed with it
     */
    static OwnService start(
            Home home, BenchFolder folder, OwnStorage storage, int dataPlanes, Room room, Detours detours)
            throws IOException, InterruptedException {
        StackOptions options = StackOptions.onFreePorts(home, folder.path())
                .withDataPlanes(dataPlanes)
                .withStorage(storage.kind())
                .withSettings(room.settings())
                .withStorageLatency(storage.latency());
        LocalStack stack = LocalStack.start(options, new SecureRandom());
        try {
            List<String> endpoints = new ArrayList<>();
            for (String endpoint : stack.endpoints()) {
                endpoints.add(detours.endpoint(endpoint));
            }
            return new OwnService(folder, storage, stack, detours, endpoints);
        } catch (IOException e) {
            detours.close();
            stack.close();
            throw e;
        }
    }

    @Override
    public ServiceAccess access() {
        return ServiceAccess.local(endpoints, LocalStack.RESOURCE, stack.key().text());
    }

    @Override
    public DataPlaneUse seen() {
        return DataPlaneUse.of(stack.dataPlanes());
    }

    /** Blocks alone: the data plane still writes the presence files of the partition. Azurite keeps everything. */
    @Override
    public void empty(Partition partition) throws IOException {
        if (storage.kind() == StorageKind.FILESYSTEM) {
            StoredBlocks.putAside(
                    folder.path().resolve("storage"), partition, folder.path().resolve("aside"));
        }
    }

    @Override
    public String name() {
        String data =
                stack.dataPlanes().size() + " data plane" + (stack.dataPlanes().size() == 1 ? "" : "s");
        String latency = storage.latency().equals(StorageLatency.NONE) ? "" : " with " + storage.latency();
        return data + " of this machine over " + storage.kind() + " storage" + latency + detours.text();
    }

    @Override
    public void close() {
        detours.close();
        stack.close();
    }
}
