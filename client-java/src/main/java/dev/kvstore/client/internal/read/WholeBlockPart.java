package dev.kvstore.client.internal.read;

import dev.kvstore.protocol.answer.v1.AnswerChunk;
import dev.kvstore.protocol.answer.v1.AnswerHead;
import dev.kvstore.protocol.answer.v1.AnswerPart;

/** Presents a unary answer's whole block as the one part of a stream, so that one code verifies both. Stateless. */
public final class WholeBlockPart {
    private WholeBlockPart() {}

    public static AnswerPart toPart(AnswerChunk chunk) {
        AnswerHead.Builder head = AnswerHead.newBuilder()
                .setTokens(chunk.getTokens())
                .setExtra(chunk.getExtra())
                .setHash(chunk.getHash())
                .setParentHash(chunk.getParentHash())
                .setBufferBytes(chunk.getBuffer().size())
                .setWriterBytes(chunk.getWriterBytes());
        if (chunk.hasCrc32C()) {
            head.setCrc32C(chunk.getCrc32C());
        }
        return AnswerPart.newBuilder()
                .setHead(head)
                .setBytes(chunk.getBuffer())
                .setCrc32C(chunk.getCrc32C())
                .setLast(true)
                .build();
    }
}
