package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteResult;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Streaming calls made with the generated stub, from beginning to end. */
final class StreamCalls {
    /** Everything a stream answered and how it ended. */
    record StreamOutcome<R>(List<R> items, Status status) {}

    private StreamCalls() {}

    static StreamOutcome<ReadPart> read(DataPlaneFixture server, List<ByteString> locations, int partBytes) {
        return read(
                server,
                StreamingReadRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.RESOURCE)
                        .addAllLocations(locations)
                        .setMaxPartBytes(partBytes)
                        .build());
    }

    static StreamOutcome<ReadPart> read(DataPlaneFixture server, StreamingReadRequest... messages) {
        CollectedAnswers<StreamingReadResponse> answers = new CollectedAnswers<>();
        StreamObserver<StreamingReadRequest> requests = server.asyncStub().streamingRead(answers);
        for (StreamingReadRequest message : messages) {
            requests.onNext(message);
        }
        requests.onCompleted();
        return new StreamOutcome<>(
                answers.await().stream()
                        .flatMap(message -> message.getPartsList().stream())
                        .toList(),
                answers.status());
    }

    static StreamOutcome<WriteResult> write(DataPlaneFixture server, List<WritePart> parts) {
        return write(
                server,
                parts.stream()
                        .map(part -> StreamingWriteRequest.newBuilder()
                                .setResourceName(DataPlaneFixture.RESOURCE)
                                .setPartition(TestChains.PARTITION.name())
                                .addParts(part)
                                .build())
                        .toArray(StreamingWriteRequest[]::new));
    }

    static StreamOutcome<WriteResult> write(DataPlaneFixture server, StreamingWriteRequest... messages) {
        CollectedAnswers<StreamingWriteResponse> answers = new CollectedAnswers<>();
        StreamObserver<StreamingWriteRequest> requests = server.asyncStub().streamingWrite(answers);
        for (StreamingWriteRequest message : messages) {
            requests.onNext(message);
        }
        requests.onCompleted();
        return new StreamOutcome<>(
                answers.await().stream()
                        .flatMap(message -> message.getResultsList().stream())
                        .toList(),
                answers.status());
    }

    /** The buffers of blocks whose parts have all come, by index. */
    static Map<Integer, ByteString> buffers(List<ReadPart> parts) {
        Map<Integer, ByteString> buffers = new TreeMap<>();
        for (ReadPart part : parts) {
            ByteString before = buffers.getOrDefault(part.getIndex(), ByteString.EMPTY);
            if (before.size() != part.getOffset()) {
                throw new AssertionError("part at " + part.getOffset() + " after " + before.size() + " bytes");
            }
            buffers.put(part.getIndex(), before.concat(part.getBytes()));
        }
        return buffers;
    }

    /** Collects answers until the stream ends. */
    static final class CollectedAnswers<R> implements StreamObserver<R> {
        private final List<R> answers = Collections.synchronizedList(new ArrayList<>());
        private final CompletableFuture<Status> end = new CompletableFuture<>();

        @Override
        public void onNext(R answer) {
            answers.add(answer);
        }

        @Override
        public void onError(Throwable failure) {
            end.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }

        List<R> await() {
            status();
            return List.copyOf(answers);
        }

        List<R> soFar() {
            return List.copyOf(answers);
        }

        boolean ended() {
            return end.isDone();
        }

        Status status() {
            return end.orTimeout(60, TimeUnit.SECONDS).join();
        }
    }
}
