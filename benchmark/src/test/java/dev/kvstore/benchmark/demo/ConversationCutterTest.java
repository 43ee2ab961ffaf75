package dev.kvstore.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.wire.WireNames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ConversationCutterTest {
    private static final String TEXT = IntStream.range(0, 3_000)
            .mapToObj(i -> "Sentence number " + i + " is about bridges.")
            .collect(Collectors.joining("\n"));
    private static final Partition PARTITION = Partition.of("test");

    private final ConversationCutter shape = ConversationCutter.of(3);

    @Test
    void shareTheSystemPromptAndNoBlockAfterIt() {
        List<DemoConversation> all = shape.cut(TEXT);
        BlockChain first = all.get(0).prompt(PARTITION).chain();
        BlockChain second = all.get(1).prompt(PARTITION).chain();
        int shared = shape.systemTokens() / PARTITION.blockTokens();

        assertThat(second.hash(shared - 1)).isEqualTo(first.hash(shared - 1));
        assertThat(second.hash(shared)).isNotEqualTo(first.hash(shared));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "A text much shorter than a prompt."})
    void differEvenOverTheShortestText(String text) {
        List<DemoConversation> all = shape.cut(text);
        int shared = shape.systemTokens() / PARTITION.blockTokens();

        assertThat(all.stream()
                        .map(c -> c.prompt(PARTITION).chain().hash(shared))
                        .distinct())
                .hasSize(3);
    }

    @Test
    void growTurnByTurn() {
        DemoConversation conversation = shape.cut(TEXT).getFirst();
        BlockChain all = conversation.prompt(PARTITION).chain();

        assertThat(conversation.turns()).isEqualTo(shape.turns());
        int before = 0;
        for (int turn = 0; turn < conversation.turns(); turn++) {
            BlockChain chain = conversation.prompt(PARTITION, turn).chain();
            assertThat(chain.size()).isGreaterThan(before);
            assertThat(WireNames.field(chain)).isEqualTo(WireNames.field(all.prefix(chain.size())));
            before = chain.size();
        }
    }

    @Test
    void areTheSameForTheSameText() {
        List<DemoConversation> once = shape.cut(TEXT);
        List<DemoConversation> again = shape.cut(TEXT);

        for (int i = 0; i < once.size(); i++) {
            assertThat(again.get(i).tokens()).isEqualTo(once.get(i).tokens());
        }
    }

    @Test
    void areMadeOfTheTextsTokens() {
        int[] tokens = shape.cut(TEXT).getFirst().tokens();

        assertThat(Arrays.stream(tokens).distinct().count()).isGreaterThan(100);
        assertThat(Arrays.stream(tokens)).allMatch(token -> token >= 0 && token < 200_019);
    }

    @Test
    void theUsualDemoStaysModest() {
        long blocks = ConversationCutter.of(4).cut(TEXT).stream()
                .map(conversation -> conversation.prompt(PARTITION).chain())
                .flatMap(chain -> IntStream.range(0, chain.size()).mapToObj(chain::hash))
                .distinct()
                .count();

        assertThat(blocks).isBetween(100L, 200L);
    }
}
