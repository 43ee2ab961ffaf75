package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.ComputedPrompts;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.OperationLoad;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Detours;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A data plane over a folder, and a client of it with the SDK's own options. For one thread. */
record MeasuredDataPlane(Path folder, LocalStack stack, Detours detours, KvClient client) implements AutoCloseable {
    /** A block of 128 tokens, as the service mostly has them. */
    static final int BLOCK_BYTES = 1_200_000;

    /** The blocks of a prompt. */
    static final int PROMPT_BLOCKS = 64;

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final double GIGABYTE = 1e9;

    /** With the settings of every local stack. */
    static MeasuredDataPlane start(LimitScene scene, String name) throws IOException, InterruptedException {
        return start(scene, name, Map.of(), StorageLatency.NONE);
    }

    /**
     * Starts it.
     *
     * @param name of its folder, in that of the scene
     * @param settings besides those of every local stack, as environment variables
     */
    static MeasuredDataPlane start(LimitScene scene, String name, Map<String, String> settings, StorageLatency latency)
            throws IOException, InterruptedException {
        return start(scene, name, options -> options.withSettings(settings).withStorageLatency(latency));
    }

    /** Starts one that does not use the cache which was made for its program. */
    static MeasuredDataPlane startWithoutCache(LimitScene scene, String name) throws IOException, InterruptedException {
        return start(scene, name, options -> options.withJvm(Map.of(Program.DATA_PLANE, List.of("-XX:AOTMode=off"))));
    }

    private static MeasuredDataPlane start(LimitScene scene, String name, UnaryOperator<StackOptions> more)
            throws IOException, InterruptedException {
        scene.say("starting a data plane");
        Path folder = scene.folder().resolve(name);
        StackOptions options = StackOptions.onFreePorts(scene.home(), folder).withDataPlanes(1);
        LocalStack stack = LocalStack.start(more.apply(options), new SecureRandom());
        Detours detours = new Detours(scene.options().slowed());
        try {
            KvClient client = KvClient.builder()
                    .endpoints(detours.endpoint(stack.dataPlane(0).endpoint()))
                    .resource(LocalStack.RESOURCE)
                    .apiKey(stack.key().text())
                    .deadline(DEADLINE)
                    .build();
            return new MeasuredDataPlane(folder, stack, detours, client);
        } catch (IOException | RuntimeException e) {
            detours.close();
            stack.close();
            throw e;
        }
    }

    StackDataPlane dataPlane() {
        return stack.dataPlane(0);
    }

    /** Where its blocks are durable. */
    Path storage() {
        return folder.resolve("storage");
    }

    /** Where its blocks are that left memory. */
    Path disk() {
        return folder.resolve("disk/data-plane-0");
    }

    /** Stores prompts of 64 blocks each; stored again, they are the same. */
    ComputedPrompts stock(String partition, int prompts) throws InterruptedException {
        return stock(partition, prompts, PROMPT_BLOCKS, BLOCK_BYTES);
    }

    ComputedPrompts stock(String partition, int prompts, int blocks, int blockBytes) throws InterruptedException {
        return ComputedPrompts.of(new StoredPrompts(partition, prompts, blocks, blockBytes).write(client));
    }

    OperationMeasurement measure(MainJobOperation operation, int clients, Duration time)
            throws IOException, InterruptedException {
        return new OperationLoad(dataPlane()).run(operation, clients, time);
    }

    /**
     * Like {@link #measure}, of reads that must not come from storage.
     *
     * @throws IllegalStateException if they did
     */
    OperationMeasurement measureHot(MainJobOperation operation, int clients, Duration time)
            throws IOException, InterruptedException {
        OperationMeasurement measurement = measure(operation, clients, time);
        DataPlaneUse.requireFew(measurement.storageCalls(), measurement.blocks());
        return measurement;
    }

    /** How fast bytes were moved, and at what cost. */
    static Map<Quantity, Double> rate(OperationMeasurement measurement) {
        double gigabytes = measurement.bytes() / GIGABYTE;
        double cpuSeconds = measurement.clientCpuSeconds() + measurement.serverCpuSeconds();
        return Map.of(Quantity.RATE, gigabytes / measurement.seconds(), Quantity.CPU, cpuSeconds / gigabytes);
    }

    @Override
    public void close() {
        client.close();
        detours.close();
        stack.close();
    }
}
