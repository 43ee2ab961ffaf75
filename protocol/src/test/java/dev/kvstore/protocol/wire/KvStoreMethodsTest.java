package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.kvstore.protocol.answer.v1.ReadAnswer;
import dev.kvstore.protocol.answer.v1.StreamingReadAnswer;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Any generated stub of any language talks to either side. */
class KvStoreMethodsTest {
    private static final ServiceDescriptor GENERATED = KVStoreServiceGrpc.getServiceDescriptor();

    @Test
    void theServersMethodsAreThoseOfTheProtoFile() throws Exception {
        assertAreGenerated(methods(KvStoreMethods.ServerMethods.class));
    }

    @Test
    void theClientsMethodsAreThoseOfTheProtoFile() throws Exception {
        assertAreGenerated(methods(KvStoreMethods.ClientMethods.class));
    }

    private static List<MethodDescriptor<?, ?>> methods(Class<?> side) throws IllegalAccessException {
        List<MethodDescriptor<?, ?>> methods = new ArrayList<>();
        for (Field field : side.getFields()) {
            methods.add((MethodDescriptor<?, ?>) field.get(null));
        }
        return methods;
    }

    @Test
    void theClientReadsWhatAGeneratedServerWrites() throws IOException {
        ReadResponse answer = ReadResponse.newBuilder()
                .setChunk(PromptChunk.newBuilder()
                        .addAllTokens(List.of(1, -2))
                        .setBuffer(ByteString.copyFromUtf8("buffer"))
                        .setCrc32C(7))
                .build();
        byte[] wire = KVStoreServiceGrpc.getReadMethod().streamResponse(answer).readAllBytes();

        try (Received<ReadAnswer> received =
                KvStoreMethods.ClientMethods.READ.parseResponse(new ByteArrayInputStream(wire))) {
            assertThat(received.message().toByteString()).isEqualTo(answer.toByteString());
            assertThat(received.message().getChunk().getTokens().toByteArray())
                    .containsExactly(1, 0, 0, 0, -2, -1, -1, -1);
        }
    }

    @Test
    void itsAnswersAreThoseOfTheProtoFileWithTokensAsBytes() {
        assertThat(fields(ReadAnswer.getDescriptor())).isEqualTo(fields(ReadResponse.getDescriptor()));
        assertThat(fields(StreamingReadAnswer.getDescriptor()))
                .isEqualTo(fields(StreamingReadResponse.getDescriptor()));
    }

    /** Number, name and type of each field, and of those of the messages in it; packed tokens are bytes. */
    private static Map<String, String> fields(Descriptor message) {
        Map<String, String> fields = new TreeMap<>();
        for (FieldDescriptor field : message.getFields()) {
            String name = field.getNumber() + " " + field.getName();
            boolean ours = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    && field.getMessageType().getFullName().startsWith("kvstore.");
            fields.put(
                    name,
                    ours
                            ? fields(field.getMessageType()) + (field.isRepeated() ? "*" : "")
                            : field.isPacked() ? "BYTES" : field.getType() + (field.isRepeated() ? "*" : ""));
        }
        return fields;
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
