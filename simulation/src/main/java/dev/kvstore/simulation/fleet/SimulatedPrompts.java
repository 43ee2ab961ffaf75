package dev.kvstore.simulation.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Prompts of whole blocks. Each block may have one of several contents. Immutable. */
public final class SimulatedPrompts {
    public static final Partition PARTITION = Partition.of("model/rev1/fp16");

    private static final int LEAST_BYTES = 100;

    private final List<List<BlockHash>> hashes = new ArrayList<>();
    private final List<List<List<Integer>>> tokens = new ArrayList<>();

    public SimulatedPrompts(int prompts, int blocks) {
        BlockHasher hasher = new BlockHasher();
        for (int prompt = 0; prompt < prompts; prompt++) {
            List<BlockHash> names = new ArrayList<>();
            List<List<Integer>> words = new ArrayList<>();
            BlockHash parent = PARTITION.root();
            for (int block = 0; block < blocks; block++) {
                int[] ids = new SplittableRandom(prompt * 1000L + block)
                        .ints(PARTITION.blockTokens())
                        .toArray();
                parent = hasher.next(parent, ByteBuffer.allocate(0), Tokens.of(ids));
                names.add(parent);
                words.add(Arrays.stream(ids).boxed().toList());
            }
            hashes.add(names);
            tokens.add(words);
        }
    }

    public BlockHash hash(int prompt, int block) {
        return hashes.get(prompt).get(block);
    }

    Tokens tokens(int prompt, int block) {
        return Tokens.of(tokens.get(prompt).get(block).stream()
                .mapToInt(Integer::intValue)
                .toArray());
    }

    private BlockHash parent(int prompt, int block) {
        return block == 0 ? PARTITION.root() : hash(prompt, block - 1);
    }

    ByteString hashes(int prompt) {
        return ByteString.copyFrom(
                hashes.get(prompt).stream().map(WireNames::field).toList());
    }

    /** The tokens of a prompt's first blocks. */
    Tokens beginning(int prompt, int blocks) {
        return Tokens.of(tokens.get(prompt).stream()
                .limit(blocks)
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray());
    }

    List<Integer> tokens(int prompt) {
        return tokens.get(prompt).stream().flatMap(List::stream).toList();
    }

    /** The bytes of a block; no two blocks have the same bytes. */
    static byte[] buffer(int prompt, int block, int content) {
        byte[] buffer = new byte[LEAST_BYTES + content];
        Arrays.fill(buffer, (byte) content);
        buffer[0] = (byte) prompt;
        buffer[1] = (byte) block;
        return buffer;
    }

    /** The content of a block's buffer; -1 if a client of the simulation never wrote it. */
    public static int content(ByteString buffer, int prompt, int block) {
        int content = buffer.size() - LEAST_BYTES;
        return content >= 0 && Arrays.equals(buffer.toByteArray(), buffer(prompt, block, content)) ? content : -1;
    }

    PromptChunk chunk(int prompt, int block, int content) {
        byte[] buffer = buffer(prompt, block, content);
        return PromptChunk.newBuilder()
                .addAllTokens(tokens.get(prompt).get(block))
                .setHash(WireNames.field(hash(prompt, block)))
                .setParentHash(WireNames.field(parent(prompt, block)))
                .setBuffer(UnsafeByteOperations.unsafeWrap(buffer))
                .setCrc32C(Crc32c.of(ByteBuffer.wrap(buffer)))
                .build();
    }
}
