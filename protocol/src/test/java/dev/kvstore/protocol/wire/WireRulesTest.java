package dev.kvstore.protocol.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.kvstore.protocol.answer.v1.AnswerProto;
import dev.kvstore.protocol.control.v1.AccountProto;
import dev.kvstore.protocol.control.v1.MembershipProto;
import dev.kvstore.protocol.control.v1.PurgeProto;
import dev.kvstore.protocol.control.v1.RouteProto;
import dev.kvstore.protocol.control.v1.WarmingProto;
import dev.kvstore.protocol.peer.v1.PeerProto;
import dev.kvstore.protocol.v1.KvStoreProto;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The wire only grows: programs of neighbouring versions talk to each other. */
class WireRulesTest {
    private static final List<FileDescriptor> FILES = List.of(
            KvStoreProto.getDescriptor(),
            AccountProto.getDescriptor(),
            MembershipProto.getDescriptor(),
            PurgeProto.getDescriptor(),
            RouteProto.getDescriptor(),
            WarmingProto.getDescriptor(),
            PeerProto.getDescriptor(),
            AnswerProto.getDescriptor());

    private final TreeSet<String> lines = new TreeSet<>();

    WireRulesTest() {
        for (FileDescriptor file : FILES) {
            file.getMessageTypes().forEach(this::message);
            file.getEnumTypes().forEach(this::values);
            file.getServices().forEach(this::service);
        }
    }

    private void message(Descriptor message) {
        for (FieldDescriptor field : message.getFields()) {
            String type = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                    ? field.getMessageType().getFullName()
                    : field.getType().name().toLowerCase(Locale.ROOT);
            lines.add("%s %d %s%s %s"
                    .formatted(
                            message.getFullName(),
                            field.getNumber(),
                            field.isRepeated() ? "repeated " : "",
                            type,
                            field.getName()));
        }
        message.getNestedTypes().forEach(this::message);
        message.getEnumTypes().forEach(this::values);
    }

    private void values(EnumDescriptor values) {
        values.getValues()
                .forEach(value ->
                        lines.add("%s %d %s".formatted(values.getFullName(), value.getNumber(), value.getName())));
    }

    private void service(ServiceDescriptor service) {
        for (MethodDescriptor method : service.getMethods()) {
            lines.add("%s/%s %s%s -> %s%s"
                    .formatted(
                            service.getFullName(),
                            method.getName(),
                            method.isClientStreaming() ? "stream " : "",
                            method.getInputType().getFullName(),
                            method.isServerStreaming() ? "stream " : "",
                            method.getOutputType().getFullName()));
        }
    }

    private static List<String> written() throws IOException {
        try (InputStream in = WireRulesTest.class.getResourceAsStream("wire.txt")) {
            return new String(Objects.requireNonNull(in, "wire.txt").readAllBytes(), UTF_8)
                    .lines()
                    .toList();
        }
    }

    @Test
    void allThatTheVersionBeforeKnowsIsThereAsItWas() throws IOException {
        assertThat(lines)
                .as(
                        "a field, value or method of wire.txt was taken away or changed; programs of the version before still use it")
                .containsAll(written());
    }

    @Test
    void allThatIsThereIsWrittenDown() throws IOException {
        TreeSet<String> added = new TreeSet<>(lines);
        written().forEach(added::remove);

        assertThat(added)
                .as("new on the wire: add these lines to wire.txt, which holds the versions after this one to them")
                .isEmpty();
    }

    @Test
    void everyFileIsHeldToIt() throws IOException {
        Path folder = Path.of("src/main/proto");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            FILES.stream().map(FileDescriptor::getFullName).toList());
        }
    }
}
