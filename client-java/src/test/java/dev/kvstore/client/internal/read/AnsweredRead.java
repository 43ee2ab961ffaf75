package dev.kvstore.client.internal.read;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.internal.CountedAnswer;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.protocol.answer.v1.StreamingReadAnswer;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.KvStoreMethods.ClientMethods;
import dev.kvstore.protocol.wire.Received;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The answers of a data plane to one read, in memory whose holders are counted. */
record AnsweredRead(TransportCall<StreamingReadRequest, Received<StreamingReadAnswer>> call, AtomicInteger held) {
    static final int BYTES = 100;
    static final BlockChain CHAIN = SdkBlocks.chain(6);

    /** Sends whole blocks of the prompt in one message, with the indices that they have in the request. */
    void send(int firstIndex, int... blocks) {
        StreamingReadResponse.Builder response = StreamingReadResponse.newBuilder();
        for (int i = 0; i < blocks.length; i++) {
            response.addAllParts(parts(firstIndex + i, blocks[i], BYTES));
        }
        send(response.build());
    }

    static List<ReadPart> parts(int index, int block, int partBytes) {
        return SdkBlocks.parts(index, SdkBlocks.chunk(CHAIN, block, BYTES), partBytes);
    }

    void send(ReadPart part) {
        send(StreamingReadResponse.newBuilder().addParts(part).build());
    }

    private void send(StreamingReadResponse response) {
        sendBytes(response.toByteArray());
    }

    void sendBytes(byte[] bytes) {
        call.answer(ClientMethods.STREAMING_READ.parseResponse(new CountedAnswer(bytes, held)));
    }

    /** Closes a block that was found; its index. */
    static int close(@Nullable BlockResult result) {
        if (!(result instanceof BlockResult.Found found)) {
            throw new AssertionError("no block was found: " + result);
        }
        found.block().close();
        return found.index();
    }
}
