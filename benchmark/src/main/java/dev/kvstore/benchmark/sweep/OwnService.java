package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.TemporaryFolder;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;

/** Data planes of this machine over a storage of this machine, in a folder that goes with them. */
final class OwnService implements Service {
    /** What the stack's storage is. */
    record Storage(StorageKind kind, StorageLatency latency) {}

    private final TemporaryFolder folder;
    private final Storage storage;
    private final LocalStack stack;

    private OwnService(TemporaryFolder folder, Storage storage, LocalStack stack) {
        this.folder = folder;
        this.storage = storage;
        this.stack = stack;
    }

    /**
     * Starts it.
     *
     * @param folder is the caller's to delete, after the service was closed
     */
    static OwnService start(Home home, TemporaryFolder folder, Storage storage, int dataPlanes, Room room)
            throws InterruptedException {
        StackOptions options = StackOptions.onFreePorts(home, folder.path())
                .withDataPlanes(dataPlanes)
                .withStorage(storage.kind())
                .withSettings(room.settings())
                .withStorageLatency(storage.latency());
        return new OwnService(folder, storage, LocalStack.start(options, new SecureRandom()));
    }

    @Override
    public Access access() {
        return Access.local(stack.endpoints(), LocalStack.RESOURCE, stack.key().text());
    }

    @Override
    public Seen seen() {
        return Seen.of(stack.dataPlanes());
    }

    /** Blocks alone: the data plane still writes down what it knows of the partition. Azurite keeps everything. */
    @Override
    public void empty(Partition partition) throws IOException {
        Path written = Path.of("storage", "blobs", "kv", "v1", partition.root().hex());
        if (storage.kind() == StorageKind.FILESYSTEM
                && Files.isDirectory(folder.path().resolve(written))) {
            for (String name : blockFolders(folder.path().resolve(written))) {
                folder.delete(written.resolve(name).toString());
            }
        }
    }

    /** Those named by the first two digits of the hashes in them. */
    private static List<String> blockFolders(Path partition) throws IOException {
        try (Stream<Path> entries = Files.list(partition)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> name.length() == 2)
                    .toList();
        }
    }

    @Override
    public String name() {
        String data =
                stack.dataPlanes().size() + " data plane" + (stack.dataPlanes().size() == 1 ? "" : "s");
        String latency = storage.latency().equals(StorageLatency.NONE) ? "" : " with " + storage.latency();
        return data + " of this machine over " + storage.kind() + " storage" + latency;
    }

    @Override
    public void close() {
        stack.close();
    }
}
