package dev.kvstore.endtoend;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks {@code ServerReflection} as grpcurl does: one question on a stream, by the numbers of the messages' fields. */
record ReflectionClient(Channel channel, String service) {
    // Of grpc/reflection/v1/reflection.proto.
    private static final int FILE_CONTAINING_SYMBOL = 4;
    private static final int LIST_SERVICES = 7;
    private static final int FILES = 4;
    private static final int SERVICES = 6;
    private static final int FIRST = 1;

    /** The names of the services. */
    List<String> services() throws Exception {
        return ask(LIST_SERVICES, "*").getField(SERVICES).getLengthDelimitedList().stream()
                .flatMap(list -> fields(list).getField(FIRST).getLengthDelimitedList().stream())
                .map(each -> fields(each)
                        .getField(FIRST)
                        .getLengthDelimitedList()
                        .getFirst()
                        .toStringUtf8())
                .toList();
    }

    /** The files that declare a service, and those that they need. */
    List<FileDescriptorProto> files(String symbol) throws Exception {
        return ask(FILE_CONTAINING_SYMBOL, symbol).getField(FILES).getLengthDelimitedList().stream()
                .flatMap(list -> fields(list).getField(FIRST).getLengthDelimitedList().stream())
                .map(ReflectionClient::file)
                .toList();
    }

    private UnknownFieldSet ask(int field, String text)
            throws ExecutionException, InterruptedException, TimeoutException {
        MethodDescriptor<UnknownFieldSet, UnknownFieldSet> method =
                MethodDescriptor.<UnknownFieldSet, UnknownFieldSet>newBuilder()
                        .setType(MethodType.BIDI_STREAMING)
                        .setFullMethodName(service + "/ServerReflectionInfo")
                        .setRequestMarshaller(ProtoLiteUtils.marshaller(UnknownFieldSet.getDefaultInstance()))
                        .setResponseMarshaller(ProtoLiteUtils.marshaller(UnknownFieldSet.getDefaultInstance()))
                        .build();
        CompletableFuture<UnknownFieldSet> first = new CompletableFuture<>();
        StreamObserver<UnknownFieldSet> questions = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS)),
                new StreamObserver<>() {
                    @Override
                    public void onNext(UnknownFieldSet answer) {
                        first.complete(answer);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        first.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        first.completeExceptionally(new IllegalStateException("no answer"));
                    }
                });
        questions.onNext(UnknownFieldSet.newBuilder()
                .addField(
                        field,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(text))
                                .build())
                .build());
        questions.onCompleted();
        return first.get(1, TimeUnit.MINUTES);
    }

    private static UnknownFieldSet fields(ByteString message) {
        try {
            return UnknownFieldSet.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static FileDescriptorProto file(ByteString message) {
        try {
            return FileDescriptorProto.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
