package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.ReadResponse;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Any generated stub of any language talks to either side. */
class KvStoreMethodsTest {
    private static final ServiceDescriptor GENERATED = KVStoreServiceGrpc.getServiceDescriptor();

    @Test
    void theServersMethodsAreThoseOfTheProtoFile() {
        assertAreGenerated(List.of(
                KvStoreMethods.Server.LOOKUP,
                KvStoreMethods.Server.READ,
                KvStoreMethods.Server.WRITE,
                KvStoreMethods.Server.STREAMING_READ,
                KvStoreMethods.Server.STREAMING_WRITE));
    }

    @Test
    void theClientsMethodsAreThoseOfTheProtoFile() {
        assertAreGenerated(List.of(
                KvStoreMethods.Client.LOOKUP,
                KvStoreMethods.Client.READ,
                KvStoreMethods.Client.WRITE,
                KvStoreMethods.Client.STREAMING_READ,
                KvStoreMethods.Client.STREAMING_WRITE));
    }

    @Test
    void theClientReadsWhatAGeneratedServerWrites() throws IOException {
        ReadResponse answer = ReadResponse.newBuilder()
                .setChunk(ReadResponse.getDefaultInstance().getChunk().toBuilder()
                        .setBuffer(ByteString.copyFromUtf8("buffer")))
                .build();
        byte[] wire = KVStoreServiceGrpc.getReadMethod().streamResponse(answer).readAllBytes();

        try (Received<ReadResponse> received =
                KvStoreMethods.Client.READ.parseResponse(new ByteArrayInputStream(wire))) {
            assertThat(received.message()).isEqualTo(answer);
        }
    }

    private static void assertAreGenerated(List<MethodDescriptor<?, ?>> methods) {
        assertThat(methods)
                .extracting(MethodDescriptor::getFullMethodName)
                .containsExactlyInAnyOrderElementsOf(GENERATED.getMethods().stream()
                        .map(MethodDescriptor::getFullMethodName)
                        .toList());
        for (MethodDescriptor<?, ?> method : methods) {
            assertThat(GENERATED.getMethods())
                    .filteredOn(generated -> generated.getFullMethodName().equals(method.getFullMethodName()))
                    .extracting(MethodDescriptor::getType)
                    .containsExactly(Objects.requireNonNull(method.getType()));
        }
    }
}
