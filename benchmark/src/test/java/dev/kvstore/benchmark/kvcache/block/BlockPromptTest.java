package dev.kvstore.benchmark.kvcache.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Prompts of conversations as chains of blocks. */
class BlockPromptTest {
    private static final int SHARED_TOKENS = 256;
    private static final long MOST_TOKENS = 60_000;
    private static final Partition PARTITION = Partition.of("test");

    private static List<UserRequest> requests(int count) {
        Workload workload = new Workload(
                User.population(20, WorkloadConfig.usual(), new MersenneTwister(42)),
                WorkloadConfig.usual(),
                new Workload.WorkloadRules(true, true, false, ArrivalProcess.USERS, 0, MOST_TOKENS, null, 42));
        List<UserRequest> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(Objects.requireNonNull(workload.next()));
        }
        return all;
    }

    private static BlockPrompt prompt(UserRequest request) {
        return BlockPrompt.of(request, PARTITION, SHARED_TOKENS);
    }

    private static int common(BlockChain one, BlockChain other) {
        int same = 0;
        while (same < Math.min(one.size(), other.size()) && one.hash(same).equals(other.hash(same))) {
            same++;
        }
        return same;
    }

    @Test
    void aTurnGoesOnFromAllWholeBlocksOfTheTurnBefore() {
        Map<String, BlockPrompt> last = new HashMap<>();
        int later = 0;
        for (UserRequest request : requests(300)) {
            BlockPrompt prompt = prompt(request);
            BlockPrompt before = last.put(request.stream(), prompt);
            if (before != null) {
                later++;
                assertThat(common(prompt.chain(), before.chain())).isEqualTo(before.blocks());
            }
        }
        assertThat(later).isGreaterThan(100);
    }

    @Test
    void conversationsShareTheWholeBlocksOfASharedPromptAndNoOthers() {
        List<UserRequest> firsts =
                requests(300).stream().filter(request -> request.turn() == 1).toList();
        for (UserRequest one : firsts) {
            for (UserRequest other : firsts) {
                if (!one.equals(other)) {
                    boolean same =
                            one.firstPrompt() != null && one.firstPrompt().equals(other.firstPrompt());
                    int shared = same ? SHARED_TOKENS / PARTITION.blockTokens() : 0;
                    assertThat(common(prompt(one).chain(), prompt(other).chain()))
                            .isEqualTo(shared);
                }
            }
        }
    }

    @Test
    void noPromptIsLongerThanAConversationMayBe() {
        assertThat(requests(1_000).stream().mapToLong(request -> request.historyTokens() + request.contextTokens()))
                .allMatch(tokens -> tokens <= MOST_TOKENS);
    }
}
