package dev.kvstore.client.internal;

import dev.kvstore.protocol.v1.BlockHead;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;

/** A unary answer's whole block as the one part of a stream, so that there is one way to verify. Stateless. */
final class Chunks {
    private Chunks() {}

    static ReadPart toPart(PromptChunk chunk) {
        BlockHead.Builder head = BlockHead.newBuilder()
                .addAllTokens(chunk.getTokensList())
                .setExtra(chunk.getExtra())
                .setHash(chunk.getHash())
                .setParentHash(chunk.getParentHash())
                .setBufferBytes(chunk.getBuffer().size());
        if (chunk.hasCrc32C()) {
            head.setCrc32C(chunk.getCrc32C());
        }
        return ReadPart.newBuilder()
                .setHead(head)
                .setBytes(chunk.getBuffer())
                .setCrc32C(chunk.getCrc32C())
                .setLast(true)
                .build();
    }
}
