package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Lookups of long prompts: hash chain sent, locations left out. */
public final class MainJobLookups {
    private MainJobLookups() {}

    /** Lookups of a prompt that the data plane knows whole. */
    public record KnownPrompts(KvClient client, Prompt prompt) implements MainJobOperation {
        @Override
        public String name() {
            return "lookup, known";
        }

        @Override
        public ResultUnit unit() {
            return ResultUnit.OPERATIONS;
        }

        @Override
        public void once(ClientSample sample) {
            lookup(client, prompt.partition(), prompt.chain(), prompt.chain().size(), sample);
        }
    }

    /** Lookups of prompts that no client has stored, each in a partition of its own. */
    record MissingPrompts(KvClient client, int blocks, AtomicLong number) implements MainJobOperation {
        @Override
        public String name() {
            return "lookup, missing";
        }

        @Override
        public ResultUnit unit() {
            return ResultUnit.OPERATIONS;
        }

        @Override
        public void once(ClientSample sample) {
            long mine = number.getAndIncrement();
            Partition partition = Partition.of("bench/missing/" + mine);
            byte[] hashes = new byte[blocks * BlockHash.BYTES];
            new SplittableRandom(mine).nextBytes(hashes);
            lookup(
                    client,
                    partition,
                    BlockChain.ofHashes(partition.root(), List.of(ByteBuffer.wrap(hashes))),
                    0,
                    sample);
        }
    }

    private static void lookup(
            KvClient client, Partition partition, BlockChain chain, int expected, ClientSample sample) {
        long start = System.nanoTime();
        int found = client.lookup(partition, chain).cachedBlocks();
        sample.latency.addSince(start);
        if (found != expected) {
            throw new IllegalStateException(found + " of " + chain.size() + " blocks found instead of " + expected);
        }
    }
}
