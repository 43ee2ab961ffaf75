package dev.kvstore.client.internal;

import com.google.protobuf.ByteString;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceImplBase;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server that stores nothing and has a few blocks. Its mood is chosen anew for each call: it answers well, before it
 * has heard everything, with details of another status, not at all, or leaves in the middle.
 */
final class MoodyServer extends KVStoreServiceImplBase implements AutoCloseable {
    /** How a call is served. */
    private enum Mood {
        WELL,
        EARLY,
        SILENT,
        LEAVING,
        ODD
    }

    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private final Map<ByteString, PromptChunk> blocks;
    private final long seed;
    private final AtomicLong calls = new AtomicLong();
    private final Server server;
    private volatile boolean moody = true;

    MoodyServer(Map<ByteString, PromptChunk> blocks, long seed) throws IOException {
        this.blocks = blocks;
        this.seed = seed;
        this.server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(this)
                .intercept(new RefusingService())
                .maxInboundMessageSize(65 * 1024 * 1024)
                .flowControlWindow(128 * 1024)
                .build()
                .start();
    }

    int port() {
        return server.getPort();
    }

    /** From now on it serves every call well. */
    void calmDown() {
        moody = false;
    }

    private SplittableRandom random() {
        return new SplittableRandom(seed * 31 + calls.getAndIncrement());
    }

    private Mood mood(SplittableRandom random) {
        int die = random.nextInt(12);
        return !moody || die >= Mood.values().length ? Mood.WELL : Mood.values()[die];
    }

    private static Throwable refusal(Mood mood) {
        Metadata trailers = new Metadata();
        if (mood == Mood.ODD) {
            trailers.put(DETAILS, SdkBlocks.status(Status.Code.INTERNAL).toByteArray());
        }
        Status.Code code = mood == Mood.LEAVING ? Status.Code.UNAVAILABLE : Status.Code.RESOURCE_EXHAUSTED;
        return code.toStatus().withDescription("its mood").asRuntimeException(trailers);
    }

    /** Refuses some calls at their headers, while the client still sends. */
    private final class RefusingService implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            if (moody && random().nextInt(15) == 0) {
                call.close(Status.RESOURCE_EXHAUSTED.withDescription("at once"), new Metadata());
                return new ServerCall.Listener<>() {};
            }
            return next.startCall(call, headers);
        }
    }

    @Override
    public void lookup(LookupRequest request, StreamObserver<LookupResponse> answer) {
        Mood mood = mood(random());
        if (mood == Mood.WELL) {
            ByteString hashes = request.getBlockHashes();
            answer.onNext(LookupResponse.newBuilder()
                    .setCachedBlocks(hashes.size() / BlockHash.BYTES)
                    .setLastHash(hashes.substring(hashes.size() - BlockHash.BYTES))
                    .build());
            answer.onCompleted();
        } else if (mood != Mood.SILENT) {
            answer.onError(refusal(mood));
        }
    }

    @Override
    public void read(ReadRequest request, StreamObserver<ReadResponse> answer) {
        Mood mood = mood(random());
        if (mood == Mood.WELL || mood == Mood.EARLY) {
            answer.onNext(ReadResponse.newBuilder()
                    .setChunk(find(request.getLocation()))
                    .build());
        }
        if (mood == Mood.WELL) {
            answer.onCompleted();
        } else if (mood != Mood.SILENT) {
            answer.onError(refusal(mood));
        }
    }

    private PromptChunk find(ByteString location) {
        return Objects.requireNonNull(
                blocks.get(WireNames.field(WireNames.location(location).hash())));
    }

    @Override
    public void write(WriteRequest request, StreamObserver<WriteResponse> answer) {
        Mood mood = mood(random());
        if (mood == Mood.WELL) {
            answer.onNext(stored(
                    request.getChunk().getHash(),
                    request.getChunk().getCrc32C(),
                    request.getChunk().getBuffer().size()));
            answer.onCompleted();
        } else if (mood != Mood.SILENT) {
            answer.onError(refusal(mood));
        }
    }

    private static WriteResponse stored(ByteString hash, int crc32c, long bytes) {
        return WriteResponse.newBuilder()
                .setLocation(WireNames.field(new Location(SdkBlocks.PARTITION.root(), WireNames.hash(hash))))
                .setOutcome(WriteResponse.Outcome.STORED)
                .setStoredCrc32C(crc32c)
                .setStoredBytes(bytes)
                .build();
    }

    @Override
    public StreamObserver<StreamingReadRequest> streamingRead(StreamObserver<StreamingReadResponse> answer) {
        SplittableRandom random = random();
        Mood mood = mood(random);
        return new Quiet<>() {
            @Override
            public void onNext(StreamingReadRequest request) {
                int left = mood == Mood.WELL ? Integer.MAX_VALUE : random.nextInt(20);
                for (int i = 0; i < request.getLocationsCount(); i++) {
                    List<ReadPart> parts = SdkBlocks.parts(
                            i, find(request.getLocations(i)), Math.max(4096, request.getMaxPartBytes()));
                    for (ReadPart part : parts) {
                        if (left-- == 0) {
                            leave();
                            return;
                        }
                        answer.onNext(StreamingReadResponse.newBuilder()
                                .addParts(part)
                                .build());
                    }
                }
                if (left >= 0) {
                    answer.onCompleted();
                }
            }

            private void leave() {
                if (mood != Mood.SILENT) {
                    answer.onError(refusal(Mood.LEAVING));
                }
            }
        };
    }

    @Override
    public StreamObserver<StreamingWriteRequest> streamingWrite(StreamObserver<StreamingWriteResponse> answer) {
        SplittableRandom random = random();
        Mood mood = mood(random);
        ServerCallStreamObserver<StreamingWriteResponse> call =
                (ServerCallStreamObserver<StreamingWriteResponse>) answer;
        int messages = random.nextInt(12);
        if (mood == Mood.SILENT) {
            call.disableAutoRequest();
            call.request(messages);
        }
        return new Quiet<>() {
            private int heard;
            private boolean refusing;
            private boolean over;
            private WritePart first = WritePart.getDefaultInstance();

            @Override
            public void onNext(StreamingWriteRequest request) {
                if (over) {
                    return;
                }
                if (++heard > messages && (mood == Mood.LEAVING || mood == Mood.ODD)) {
                    over = true;
                    answer.onError(refusal(mood));
                    return;
                }
                request.getPartsList().forEach(this::take);
            }

            private void take(WritePart part) {
                WriteResult.Builder result = WriteResult.newBuilder().setIndex(part.getIndex());
                if (part.hasHead()) {
                    first = part;
                    refusing = mood == Mood.EARLY && random.nextBoolean();
                    if (refusing) {
                        send(result.setStatus(SdkBlocks.status(Status.Code.RESOURCE_EXHAUSTED)));
                    }
                }
                if (part.getLast() && !refusing) {
                    send(result.setWrite(stored(
                            first.getHead().getHash(),
                            first.getHead().getCrc32C(),
                            first.getHead().getBufferBytes())));
                }
            }

            private void send(WriteResult.Builder result) {
                answer.onNext(
                        StreamingWriteResponse.newBuilder().addResults(result).build());
            }

            @Override
            public void onCompleted() {
                if (!over) {
                    answer.onCompleted();
                }
            }
        };
    }

    /** Takes no notice of clients that leave. */
    private abstract static class Quiet<Q> implements StreamObserver<Q> {
        @Override
        public void onError(Throwable gone) {
            // The client has left.
        }

        @Override
        public void onCompleted() {
            // The answers end by themselves.
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
