package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * KV Store below a tier: a stack of this run, which goes with it, or one that runs already.
 *
 * @param name for people
 * @param folder of this run's own stack; null for one that runs already
 */
public record KvStoreTierService(
        ServiceAccess access, String name, @Nullable Path folder) {
    private static final int CONNECTIONS = 4;
    private static final double FREE_SPACE = 0.9;

    /**
     * A data plane of this machine, whose settings the environment may change.
     *
     * @param place where its folder is made, which is deleted in the end
     * @param closings take the stack and its folder
     */
    public static KvStoreTierService start(Path place, StorageKind storage, Closings closings)
            throws IOException, InterruptedException {
        BenchFolder folder = BenchFolder.ofThisProcess(Files.createDirectories(place), "kv-cache-stack-");
        closings.add(folder::close);
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder.path())
                .withDataPlanes(1)
                .withStorage(storage);
        LocalStack stack = LocalStack.start(options, new SecureRandom());
        closings.add(stack::close);
        return new KvStoreTierService(
                ServiceAccess.of(stack), "a data plane of this machine over " + storage, folder.path());
    }

    /** One that runs already; each of its data planes is asked once. Blocks that are written to it stay there. */
    public static KvStoreTierService running(ServiceAccess access) {
        Partition probe = Partition.of("bench/kv-cache");
        access.reach("--target", probe, Prompt.of(probe, 0, 1).chain());
        return new KvStoreTierService(access, "KV Store at " + String.join(", ", access.endpoints()), null);
    }

    public int dataPlanes() {
        return access.endpoints().size();
    }

    /** Blocks of a partition, of at most so many bytes; on a disk of this run's own a part of the free bytes in all. */
    public KvStoreBlocks blocks(Partition partition, int mostBytes, NoiseContent content) throws IOException {
        long room = folder == null
                ? Long.MAX_VALUE
                : (long) (Files.getFileStore(folder).getUsableSpace() * FREE_SPACE);
        return new KvStoreBlocks(access.clientOfAll(CONNECTIONS), partition, mostBytes, content, room);
    }
}
