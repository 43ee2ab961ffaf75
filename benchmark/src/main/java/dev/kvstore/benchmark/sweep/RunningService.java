package dev.kvstore.benchmark.sweep;

import dev.kvstore.client.CallOptions;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A service that somebody else runs. What is written to it stays there. */
record RunningService(Access access) implements Service {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Asks each of its data planes once.
     *
     * @param probe a chain that the service may or may not have
     * @throws LaunchException if one does not answer, or refuses
     */
    static RunningService reach(Access access, Partition partition, BlockChain probe) {
        for (int i = 0; i < access.endpoints().size(); i++) {
            String endpoint = access.endpoints().get(i);
            try (KvClient client = access.client(i, 1)) {
                client.lookup(partition, probe, CallOptions.DEFAULT.withDeadline(PATIENCE));
            } catch (KvStoreException e) {
                throw new LaunchException("--endpoint: " + endpoint + " cannot be used: " + wayOut(e), e);
            }
        }
        return new RunningService(access);
    }

    private static String wayOut(KvStoreException failure) {
        return switch (failure.code()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED ->
                "no data plane answers there; start one, or name its host and port (" + failure.getMessage() + ")";
            case UNAUTHENTICATED ->
                "it does not know the key; give the one that was issued for it with --key-file or" + " KV_API_KEY";
            case PERMISSION_DENIED -> "the key may not use this resource; name another with --resource, or grant it";
            default -> String.valueOf(failure.getMessage());
        };
    }

    @Override
    public @Nullable Seen seen() {
        return null;
    }

    @Override
    public void empty(Partition partition) {
        // Nobody can delete through the service.
    }

    @Override
    public String name() {
        return "a running service at " + String.join(", ", access.endpoints());
    }

    @Override
    public void close() {
        // It goes on.
    }
}
