package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.replay.BurstTrace;
import dev.kvstore.benchmark.kvcache.replay.Dataset;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of requests that do not come from users alone: documents, datasets, traces. */
final class RequestFlags {
    private static final String DATASET = "--dataset-path";
    private static final String RAG = "--enable-rag";

    @Option(
            names = RAG,
            description =
                    "Documents are cut into chunks and written before the run; some requests read chunks of one (rag in the"
                            + " config file).")
    boolean rag;

    @Option(
            names = "--rag-num-docs",
            paramLabel = "N",
            defaultValue = "10",
            description = "Documents of --enable-rag, 0 to 1000000. Default: ${DEFAULT-VALUE}.")
    int documents;

    @Option(
            names = DATASET,
            paramLabel = "FILE",
            description =
                    "Conversations in ShareGPT's form instead of random ones; a token has four characters (sharegpt in the"
                            + " config file).")
    @Nullable
    Path dataset;

    @Option(
            names = "--max-conversations",
            paramLabel = "N",
            defaultValue = "500",
            description = "Read so many of a dataset's conversations, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
    int conversations;

    @Option(names = "--use-burst-trace", description = "Requests of a trace in BurstGPT's form, at its times.")
    boolean burst;

    @Option(
            names = "--burst-trace-path",
            paramLabel = "FILES",
            description = "Its CSV file, a folder with some, or a pattern with * or ?.")
    @Nullable
    String burstPath;

    @Option(
            names = "--trace-speedup",
            paramLabel = "X",
            defaultValue = "1",
            description = "A trace's times are divided by it, 0.000001 to 1000000. Default: ${DEFAULT-VALUE}.")
    double speedup;

    @Option(
            names = "--replay-cycles",
            paramLabel = "N",
            defaultValue = "0",
            description = "End when dataset or trace were replayed so often; 0 for the duration alone. Default:"
                    + " ${DEFAULT-VALUE}.")
    int cycles;

    /** Whether requests come from a file. */
    boolean replays() {
        return dataset != null || burst;
    }

    /**
     * Reads the file that they name, to its end.
     *
     * @throws IllegalArgumentException for a flag that cannot be, which it names, or a line of a file
     */
    void check(WorkloadFlags workload, ScaleFlags scale, BlockFlags blocks, WorkloadConfig config, boolean compat) {
        WorkloadFlags.range("--rag-num-docs", documents, 0, 1_000_000);
        WorkloadFlags.range("--max-conversations", conversations, 1, 1_000_000);
        WorkloadFlags.range("--replay-cycles", cycles, 0, 1_000_000);
        if (!(speedup >= 0.000001 && speedup <= 1_000_000)) {
            throw new IllegalArgumentException("--trace-speedup: must be 0.000001 to 1000000, not " + speedup);
        }
        if (rag && blocks.on()) {
            throw new IllegalArgumentException(RAG + ": chunks are no blocks of a prompt; leave --block-tokens out");
        }
        if (burst != (burstPath != null)) {
            throw new IllegalArgumentException(
                    burst
                            ? "--use-burst-trace: needs --burst-trace-path"
                            : "--burst-trace-path: is read with --use-burst-trace; give both or none");
        }
        if (dataset != null && burst) {
            throw new IllegalArgumentException(DATASET + ": excludes --use-burst-trace; leave one of the two out");
        }
        if (replays()) {
            checkReplay(workload, scale, compat);
            read(config);
        }
    }

    private void checkReplay(WorkloadFlags workload, ScaleFlags scale, boolean compat) {
        String flag = burst ? "--use-burst-trace" : DATASET;
        if (rag) {
            throw new IllegalArgumentException(flag + ": excludes " + RAG + "; leave one of the two out");
        }
        if (scale.on) {
            throw new IllegalArgumentException(flag + ": excludes --enable-autoscaling; leave one of the two out");
        }
        if (burst && workload.arrival != ArrivalProcess.USERS) {
            throw new IllegalArgumentException(flag + ": requests arrive as in the trace; leave --arrival out");
        }
        if (dataset != null && compat && workload.rate == 0) {
            throw new IllegalArgumentException("--request-rate: must be above 0 with --compat and " + DATASET
                    + ": the original sends as many requests as its processor can make");
        }
    }

    private void read(WorkloadConfig config) {
        if (dataset != null) {
            dataset(dataset, config);
        } else {
            trace().check();
        }
    }

    Dataset dataset(Path file, WorkloadConfig config) {
        return Dataset.read(file, conversations, config.datasetTokens());
    }

    BurstTrace trace() {
        return BurstTrace.find(burstPath == null ? "" : burstPath);
    }
}
