package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.engine.EntryPreparation;
import dev.kvstore.benchmark.kvcache.replay.BurstReplay;
import dev.kvstore.benchmark.kvcache.replay.DatasetReplay;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments;
import dev.kvstore.benchmark.kvcache.workload.RequestSource;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the requests of a run come from, by its flags. For one thread; the caller closes it. */
final class Sources implements AutoCloseable {
    // The context window of most of the models.
    private static final long MOST_TOKENS = 131_072;

    private final KvCacheOptions options;
    private final long seed;
    private final @Nullable RagDocuments documents;
    private @Nullable BurstReplay burst;

    Sources(KvCacheOptions options, long seed) {
        this.options = options;
        this.seed = seed;
        this.documents = options.requests().rag
                ? RagDocuments.of(options.requests().documents, options.config().rag(), options.model(), seed)
                : null;
    }

    /** Writes the documents that requests ask about. */
    void prepare(EntryPreparation preparation) throws IOException, InterruptedException {
        if (documents != null) {
            preparation.documents(documents);
        }
    }

    RequestSource of(List<User> users) {
        RequestFlags flags = options.requests();
        if (flags.dataset != null) {
            return new DatasetReplay(flags.dataset(flags.dataset, options.config()), users, options.config(), replay());
        }
        if (flags.burst) {
            BurstReplay opened = new BurstReplay(
                    flags.trace(),
                    options.config(),
                    new BurstReplay.BurstSetup(flags.speedup, flags.cycles, !options.workload().noPrefixes, seed));
            burst = opened;
            return opened;
        }
        return workload(users);
    }

    private Workload workload(List<User> users) {
        WorkloadFlags flags = options.workload();
        return new Workload(
                users,
                options.config(),
                new Workload.WorkloadRules(
                        !flags.noTurns,
                        !flags.noPrefixes,
                        options.compat(),
                        flags.arrival,
                        flags.rate,
                        flags.variation,
                        mostTokens(),
                        documents,
                        seed));
    }

    private DatasetReplay.DatasetSetup replay() {
        WorkloadFlags flags = options.workload();
        return new DatasetReplay.DatasetSetup(
                options.requests().cycles,
                !flags.noTurns,
                !flags.noPrefixes,
                options.compat(),
                options.compat() ? ArrivalProcess.FIXED : flags.arrival,
                flags.rate,
                flags.variation,
                mostTokens(),
                seed);
    }

    private long mostTokens() {
        return options.blocks().on() ? MOST_TOKENS : 0;
    }

    @Override
    public void close() {
        if (burst != null) {
            burst.close();
        }
    }
}
