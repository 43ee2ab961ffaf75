package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.util.List;

/**
 * One conversation with a model. Turn by turn its prompt grows: the earlier turns, then the new one.
 *
 * @param tokens of the last turn's prompt, which begins with every earlier one; must not be changed
 * @param turnEnds how many tokens each turn's prompt has, ascending; the last is all
 */
@SuppressWarnings("ArrayRecordComponent")
record DemoConversation(int[] tokens, List<Integer> turnEnds) {
    int turns() {
        return turnEnds.size();
    }

    /** The whole blocks of a turn's prompt. */
    Prompt prompt(Partition partition, int turn) {
        BlockChain chain = BlockChain.of(partition, Tokens.slice(tokens, 0, turnEnds.get(turn)));
        return new Prompt(partition, tokens, chain);
    }

    /** The whole blocks of the last turn's prompt. */
    Prompt prompt(Partition partition) {
        return prompt(partition, turns() - 1);
    }
}
