package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.workload.Workload.WorkloadRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a BurstGPT trace at its own times. They share nothing: the trace does not say which belong together.
 * Classes are drawn, as users' are. For one thread; the caller closes it.
 */
public final class BurstReplay implements RequestSource {
    private static final int PURPOSE = 5;
    private static final int USERS = 1_000;
    private static final double NANOS = 1e9;

    private final BurstTrace trace;
    private final WorkloadConfig config;
    private final WorkloadRules rules;
    private final double speedup;
    private final int cycles;
    private final Draws draws;
    private BurstTrace.Rows rows;
    private int cycle = 1;
    private double clock;
    private long made;

    /**
     * A replay.
     *
     * @param trace checked
     * @param rules of which prompts and seed alone count
     * @param speedup times are divided by it; above 0
     * @param cycles that the trace is replayed; 0 for no end
     */
    public BurstReplay(BurstTrace trace, WorkloadConfig config, WorkloadRules rules, double speedup, int cycles) {
        this.trace = trace;
        this.config = config;
        this.rules = rules;
        this.speedup = speedup;
        this.cycles = cycles;
        this.draws = Draws.of(rules.seed(), 0, PURPOSE);
        this.rows = new BurstTrace.Rows(trace.files());
    }

    @Override
    public @Nullable UserRequest next() {
        BurstTrace.BurstRow row = rows.next();
        if (row == null && cycle != cycles) {
            cycle++;
            rows.close();
            rows = new BurstTrace.Rows(trace.files());
            row = rows.next();
        }
        return row == null ? null : request(row);
    }

    @Override
    public boolean ends() {
        return true;
    }

    private UserRequest request(BurstTrace.BurstRow row) {
        clock += row.seconds() / speedup;
        long context = Math.max(1, row.contextTokens());
        int number = (int) (made % USERS);
        User user = new User(number, context, row.answerTokens(), 0, User.qos(draws.real(), config));
        SystemPrompt prompt = rules.prompt(draws, config);
        return new UserRequest(
                made,
                Math.round(clock * NANOS),
                user,
                context,
                row.answerTokens(),
                RequestPhase.of(context),
                "trace_user_%d_req_%04d".formatted(number, made++),
                1,
                null,
                prompt,
                draws.real(),
                0,
                prompt,
                List.of());
    }

    @Override
    public void close() {
        rows.close();
    }
}
