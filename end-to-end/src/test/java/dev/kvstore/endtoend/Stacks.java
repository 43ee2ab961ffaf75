package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.protocol.block.BlockChain;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Stacks as the tests want them, and clients of them. */
final class Stacks {
    /** The second region of {@link #startTwoRegions}. */
    static final String AWAY = "second";

    /** No client has to hear of a drain. */
    private static final Map<String, String> STOP_AT_ONCE = Map.of("KVSTORE_DRAIN_GRACE_PERIOD", "0s");

    private Stacks() {}

    static LocalStack start(Path folder, StorageKind storage, int dataPlanes) throws InterruptedException {
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder)
                .withStorage(storage)
                .withDataPlanes(dataPlanes)
                .withSettings(STOP_AT_ONCE);
        return LocalStack.start(options, new SecureRandom());
    }

    /** With a control plane, and with {@link FastBeats#FAST}. */
    static LocalStack startFast(Path folder, StorageKind storage, StackLayout layout) throws InterruptedException {
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder)
                .withStorage(storage)
                .withControlPlane(ControlPorts.FREE)
                .withLayout(layout)
                .withJvm(FastBeats.FAST)
                .withSettings(STOP_AT_ONCE);
        return LocalStack.start(options, new SecureRandom());
    }

    /**
     * The same with two regions of a cluster each.
     *
     * @param home data planes of the first region
     * @param away data planes of the second region, {@link #AWAY}
     */
    static LocalStack startTwoRegions(Path folder, int home, int away, Duration roundTrip) throws InterruptedException {
        StackLayout layout = new StackLayout(
                List.of(
                        new StackLayout.Region(
                                StackLayout.HOME, List.of(new StackLayout.Cluster(StackLayout.HOME, home))),
                        new StackLayout.Region(AWAY, List.of(new StackLayout.Cluster(AWAY, away)))),
                roundTrip);
        return startFast(folder, StorageKind.FILESYSTEM, layout);
    }

    /** A client of some of the stack's data planes. */
    static KvClientBuilder client(LocalStack stack, String... endpoints) {
        return KvClient.builder()
                .endpoints(endpoints)
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text());
    }

    /** Streams all blocks of a chain and holds each against the bytes it must have. */
    static void assertHolds(KvClient client, BlockChain chain, IntFunction<byte[]> expected) {
        int blocks = 0;
        try (BlockStream stream = client.read(chain)) {
            for (BlockResult result : stream) {
                assertThat(result).isInstanceOf(BlockResult.Found.class);
                try (Block block = ((BlockResult.Found) result).block()) {
                    assertBytes(block, expected.apply(block.index()));
                }
                blocks++;
            }
        }
        assertThat(blocks).isEqualTo(chain.size());
    }

    static void assertBytes(Block block, byte[] expected) {
        ByteBuffer actual = ByteBuffer.allocate(block.length());
        block.copyTo(actual);
        // Not isEqualTo, which would print them.
        assertThat(actual.flip().mismatch(ByteBuffer.wrap(expected)))
                .as("first byte that differs, of block " + block.index())
                .isEqualTo(-1);
    }
}
