package dev.kvstore.benchmark.affinity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/** Requests of a real service, of which only is known which blocks their prompts have in common. */
record Trace(List<BlockChain> prompts) {
    private static final Partition PARTITION = Partition.of("trace", 512);

    /**
     * A file of one JSON object a line, whose {@code hash_ids} name the blocks of a prompt; equal ids, equal prefixes.
     *
     * @throws IllegalArgumentException if there is no such file, or it holds something else
     */
    static Trace read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("--trace: there is no " + file.normalize()
                    + "; name a trace with --trace FILE (one JSON object a line with \"hash_ids\", as Mooncake publishes"
                    + " them), or leave the replay out with --no-trace");
        }
        ObjectMapper mapper = new ObjectMapper();
        List<BlockChain> prompts = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            prompts.add(prompt(mapper, line, file, prompts.size() + 1));
        }
        return new Trace(List.copyOf(prompts));
    }

    private static BlockChain prompt(ObjectMapper mapper, String line, Path file, int number) {
        JsonNode ids;
        try {
            ids = mapper.readTree(line).path("hash_ids");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "--trace: line " + number + " of " + file + " is no JSON: " + e.getOriginalMessage(), e);
        }
        if (!ids.isArray()) {
            throw new IllegalArgumentException("--trace: line " + number + " of " + file + " has no \"hash_ids\"");
        }
        ByteArrayOutputStream hashes = new ByteArrayOutputStream(ids.size() * BlockHash.BYTES);
        ids.forEach(id -> hashes.writeBytes(hash(id.asLong())));
        return BlockChain.ofHashes(PARTITION.root(), ByteString.copyFrom(hashes.toByteArray()));
    }

    private static byte[] hash(long id) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    long blocks() {
        return prompts.stream().mapToLong(BlockChain::size).sum();
    }
}
