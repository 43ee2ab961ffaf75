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
    private static final String BURST = "--use-burst-trace";
    private static final String RAG = "--enable-rag";

    @Option(names = RAG)
    boolean rag;

    @Option(names = "--rag-num-docs", paramLabel = "N")
    int documents = 10;

    @Option(names = DATASET, paramLabel = "FILE")
    @Nullable
    Path dataset;

    @Option(names = "--max-conversations", paramLabel = "N")
    int conversations = 500;

    @Option(names = BURST)
    boolean burst;

    @Option(names = "--burst-trace-path", paramLabel = "FILES")
    @Nullable
    String burstPath;

    @Option(names = "--trace-speedup", paramLabel = "X", defaultValue = "1")
    double speedup;

    @Option(names = "--replay-cycles", paramLabel = "N")
    int cycles = 0;

    /**
     * Reads the file that they name, to its end.
     *
     * @throws IllegalArgumentException for a flag that cannot be, which it names, or a line of a file
     */
    void check(KvCacheFlags flags) {
        FlagCheck.range("--rag-num-docs", documents, 0, 1_000_000);
        FlagCheck.range("--max-conversations", conversations, 1, 1_000_000);
        FlagCheck.range("--replay-cycles", cycles, 0, 1_000_000);
        FlagCheck.range("--trace-speedup", speedup, "0.000001", "1000000");
        FlagCheck.refuseIf(
                rag && flags.blocks.on(), RAG + ": chunks are no blocks of a prompt; leave --block-tokens out");
        FlagCheck.refuseIf(burst && burstPath == null, BURST + ": needs --burst-trace-path");
        FlagCheck.refuseIf(
                !burst && burstPath != null, "--burst-trace-path: is read with --use-burst-trace; give both or none");
        FlagCheck.exclude(DATASET, dataset != null && burst, BURST);
        if (dataset != null || burst) {
            String flag = burst ? BURST : DATASET;
            FlagCheck.exclude(flag, rag, RAG);
            FlagCheck.exclude(flag, flags.scale.on, "--enable-autoscaling");
            FlagCheck.refuseIf(
                    burst && flags.workload.arrival != ArrivalProcess.USERS,
                    flag + ": requests arrive as in the trace; leave --arrival out");
            FlagCheck.refuseIf(
                    dataset != null && flags.compat && flags.workload.rate == 0,
                    "--request-rate: must be above 0 with --compat and " + DATASET
                            + ": the original sends as many requests as its processor can make");
        }
        if (dataset != null) {
            dataset(dataset, flags.config());
        } else if (burst) {
            trace().check();
        }
    }

    Dataset dataset(Path file, WorkloadConfig config) {
        return Dataset.read(file, conversations, config.sharegpt());
    }

    BurstTrace trace() {
        return BurstTrace.find(burstPath == null ? "" : burstPath);
    }
}
