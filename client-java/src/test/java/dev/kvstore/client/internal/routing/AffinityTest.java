package dev.kvstore.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AffinityTest {
    private static final int BLOCK = 4;
    private static final Partition PARTITION = Partition.of("affinity", BLOCK);
    private static final int LEARNT = 50;

    private final Affinity affinity = new Affinity(new SplittableRandom(1));

    @Property(tries = 12)
    void conversationsThatShareASystemPromptOfAnyLengthSpreadWithinAQuarterOfEven(
            @ForAll @IntRange(max = 60) int shared, @ForAll @IntRange(min = 1, max = 3) int own) {
        Affinity affinity = new Affinity(new SplittableRandom(1));
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        Map<FakeCandidate, Integer> counts = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            counts.merge(fleet.pick(affinity.of(prompt(shared, i, own)), 0), 1, Integer::sum);
        }
        assertThat(counts.values()).allMatch(count -> count <= 1.25 * 10_000 / 8);
    }

    @Property(tries = 50)
    void laterTurnsHaveTheKeyOfTheFirst(
            @ForAll @IntRange(max = 60) int shared, @ForAll @IntRange(min = 1, max = 40) int turns) {
        Affinity affinity = learnt(shared);
        long first = affinity.of(prompt(shared, 7_777, 1));
        for (int turn = 2; turn <= turns; turn++) {
            assertThat(affinity.of(prompt(shared, 7_777, turn))).isEqualTo(first);
        }
    }

    @Property(tries = 50)
    void whatIsReadOfAPromptHasThePromptsKey(
            @ForAll @IntRange(max = 20) int shared, @ForAll @IntRange(max = 30) int cached) {
        Affinity affinity = learnt(shared);
        BlockChain prompt = prompt(shared, 7_777, 10);
        assertThat(affinity.of(prompt.prefix(Math.min(cached, prompt.size())))).isEqualTo(affinity.of(prompt));
    }

    @Test
    void clientsThatSawDifferentConversationsAgree() {
        Affinity other = new Affinity(new SplittableRandom(2));
        for (int i = 0; i < LEARNT; i++) {
            affinity.of(prompt(30, i, 3));
            other.of(prompt(30, 1_000 + i, 5));
        }
        assertThat(affinity.of(prompt(30, 7_777, 2))).isEqualTo(other.of(prompt(30, 7_777, 4)));
    }

    @Test
    void aPromptThatIsSharedAsAWholeGoesAnywhere() {
        Affinity affinity = learnt(30);
        assertThat(IntStream.range(0, 20)
                        .mapToLong(_ -> affinity.of(prompt(30, 0, 0)))
                        .distinct())
                .hasSize(20);
    }

    @Test
    void theFirstPromptOfAllGoesByItsEighthBlockOrItsLast() {
        BlockChain tall = prompt(0, 1, 12);
        BlockChain small = prompt(0, 2, 3);
        assertThat(affinity.of(tall)).isEqualTo(tall.hash(7).a());
        assertThat(affinity.of(small)).isEqualTo(small.hash(2).a());
    }

    @Test
    void aConversationThatIsEditedNowAndThenIsNotTakenForMany() {
        for (int i = 0; i < LEARNT; i++) {
            affinity.of(prompt(10, i, 3));
        }
        long before = affinity.of(prompt(10, 7_777, 8));
        for (int edit = 0; edit < Affinity.BRANCHES - 2; edit++) {
            int[] tokens = tokens(10, 7_777, 9);
            tokens[tokens.length - 1] = -edit;
            assertThat(affinity.of(BlockChain.of(PARTITION, Tokens.of(tokens)))).isEqualTo(before);
        }
    }

    @Test
    void whatIsSharedIsRememberedThroughAHundredThousandOtherBlocks() {
        Affinity affinity = learnt(30);
        long before = affinity.of(prompt(30, 7_777, 2));
        for (int i = 0; i < 1_000; i++) {
            affinity.of(prompt(0, 100_000 + i, 100));
        }
        assertThat(affinity.of(prompt(30, 7_777, 2))).isEqualTo(before);
    }

    @Test
    void anEmptyPromptHasAKey() {
        assertThat(affinity.of(prompt(0, 1, 0))).isEqualTo(PARTITION.root().a());
    }

    @Test
    void conversationsFindThreeTimesAsManyBlocksInMemoryAsAtRandomProcesses() {
        FakeCandidate.FakeFleet fleet = new FakeCandidate.FakeFleet(FakeCandidate.route("1", 1000, 8));
        SplittableRandom random = new SplittableRandom(1);

        int atRandom = found(_ -> random.nextInt(8));

        assertThat(found(prompt -> fleet.pick(affinity.of(prompt), 0))).isGreaterThan(3 * atRandom);
    }

    /** How many blocks of 200 conversations are in the memory of the processes that their five turns go to. */
    private static int found(Function<BlockChain, Object> process) {
        Map<Object, LastBlocks> memories = new HashMap<>();
        int found = 0;
        for (int turn = 1; turn <= 5; turn++) {
            for (int conversation = 0; conversation < 200; conversation++) {
                BlockChain prompt = prompt(1, conversation, 10 + turn);
                LastBlocks memory = memories.computeIfAbsent(process.apply(prompt), _ -> new LastBlocks());
                for (int i = 0; i < prompt.size(); i++) {
                    found += memory.put(prompt.hash(i), true) == null ? 0 : 1;
                }
            }
        }
        return found;
    }

    /** The 480 blocks that were used last: all of the fullest process' conversations. */
    private static final class LastBlocks extends LinkedHashMap<BlockHash, Boolean> {
        private static final long serialVersionUID = 1L;

        LastBlocks() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<BlockHash, Boolean> eldest) {
            return size() > 480;
        }
    }

    private static Affinity learnt(int shared) {
        Affinity affinity = new Affinity(new SplittableRandom(1));
        for (int i = 0; i < LEARNT; i++) {
            affinity.of(prompt(shared, i, 2));
        }
        return affinity;
    }

    private static BlockChain prompt(int shared, int conversation, int own) {
        return BlockChain.of(PARTITION, Tokens.of(tokens(shared, conversation, own)));
    }

    /** Blocks all have, then blocks of one conversation. */
    private static int[] tokens(int shared, int conversation, int own) {
        return IntStream.concat(
                        IntStream.range(0, shared * BLOCK),
                        IntStream.range(0, own * BLOCK).map(i -> 1_000_000 + conversation * 1_000 + i))
                .toArray();
    }
}
