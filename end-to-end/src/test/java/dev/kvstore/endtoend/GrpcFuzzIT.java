package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.testing.MadeUpMessages;
import dev.kvstore.testing.RawCalls;
import dev.kvstore.testing.Reply;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that no client should send: each is the sender's mistake, gets a sentence that says so, and harms no other
 * caller.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcFuzzIT {
    private static final long SEED = 5;
    private static final int CALLS_PER_OPERATION = 300;
    private static final int HEADER_BYTES = 5 * 1024 * 1024;

    /** The codes with which a request, or one item of it, may be answered. */
    private static final Set<Code> MISTAKES = Set.of(
            Code.INVALID_ARGUMENT,
            Code.UNAUTHENTICATED,
            Code.PERMISSION_DENIED,
            Code.NOT_FOUND,
            Code.OUT_OF_RANGE,
            Code.RESOURCE_EXHAUSTED);

    /** A class, or a frame of a stack trace. */
    private static final Predicate<String> INTERNALS = Pattern.compile(
                    "Exception|\\tat |\\b[a-z]+(\\.[a-z]\\w*)+\\.[A-Z]\\w*")
            .asPredicate();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final MadeUpMessages messages = new MadeUpMessages(random);
    private final TestPrompt prompt = TestPrompt.unique(3);
    private int logged;

    @SuppressWarnings("NullAway.Init")
    private LocalStack stack;

    @SuppressWarnings("NullAway.Init")
    private RawCalls calls;

    @BeforeAll
    void start() throws InterruptedException {
        stack = Stacks.start(folder, StorageKind.FILESYSTEM, 1);
        calls = new RawCalls(endpoint());
        assertServes();
    }

    @AfterAll
    void stop() {
        try (var _ = stack;
                var _ = calls) {
            assertThat(stack.endpoints()).hasSize(1);
        }
    }

    /** Whatever was sent. */
    @AfterEach
    void othersAreServedAndTheLogHasNoStackTrace() throws IOException {
        assertServes();
        String log = Files.readString(stack.dataPlane(0).process().log());
        String news = log.substring(logged);
        logged = log.length();
        assertThat(news).doesNotContain("\tat ", "Exception");
    }

    private void assertServes() {
        TestPrompt another = TestPrompt.unique(2);
        try (KvClient client = Stacks.client(stack, endpoint()).build()) {
            for (int i = 0; i < 2; i++) {
                client.write(another.partition(), another.block(i, TestPrompt.bytes(10_000, i)));
            }
            Stacks.assertHolds(client, another.chain(), i -> TestPrompt.bytes(10_000, i));
        }
    }

    private String endpoint() {
        return stack.endpoints().getFirst();
    }

    private String key() {
        return "Bearer " + stack.key().text();
    }

    private static Descriptor request(BlockOperation operation) {
        Object schema = Objects.requireNonNull(operation.method().getSchemaDescriptor());
        return ((ProtoMethodDescriptorSupplier) schema).getMethodDescriptor().getInputType();
    }

    /** Mostly one; but neither none nor several may do harm. */
    private List<ByteString> requests(BlockOperation operation) {
        int most = operation.method().getType().clientSendsOneMessage() ? 1 : 3;
        int count = random.nextInt(10) == 0 ? random.nextInt(5) : random.nextInt(most) + 1;
        List<ByteString> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ByteString good = operation.request(BlockTarget.of(LocalStack.RESOURCE, prompt, random.nextInt(3)));
            boolean asItIs = random.nextInt(count + 1) > 1;
            requests.add(asItIs ? good : messages.next(request(operation), good));
        }
        return requests;
    }

    /** The sender's mistakes, among them a length that a block does not have. */
    private static boolean isMistake(Code code, String text) {
        return MISTAKES.contains(code)
                || (code == Code.FAILED_PRECONDITION && text.startsWith("expected_bytes: the block is stored with "));
    }

    private String flaw(BlockOperation operation, Reply reply) {
        List<String> flaws = new ArrayList<>();
        if (reply.code() != Code.OK
                && !isMistake(reply.code(), String.valueOf(reply.status().getDescription()))) {
            flaws.add(reply.status().toString());
        }
        if (INTERNALS.test(String.valueOf(reply.status().getDescription()))) {
            flaws.add(reply.status().toString());
        }
        for (com.google.rpc.Status item : operation.refusals(reply)) {
            Code code = io.grpc.Status.fromCodeValue(item.getCode()).getCode();
            if (!isMistake(code, item.getMessage()) || INTERNALS.test(item.getMessage())) {
                flaws.add("item " + code + " " + item.getMessage());
            }
        }
        return String.join("; ", flaws);
    }

    @Test
    void whateverArrivesIsAnsweredAsTheSendersMistake() {
        List<String> flaws = new ArrayList<>();
        for (BlockOperation operation : BlockOperation.values()) {
            for (int i = 0; i < CALLS_PER_OPERATION; i++) {
                String authorization = random.nextInt(8) == 0 ? "Bearer kv_a_" + random.nextInt() : key();
                List<ByteString> requests = requests(operation);
                Reply reply = calls.call(operation.method(), RawCalls.headers(authorization), requests);
                String flaw = flaw(operation, reply);
                if (!flaw.isEmpty()) {
                    flaws.add(operation + " call " + i + " of " + requests.size() + " messages: " + flaw);
                }
            }
        }

        assertThat(flaws).as("seed %d", SEED).isEmpty();
    }

    @Test
    void aUnaryCallHasOneMessage() {
        for (BlockOperation unary : Stream.of(BlockOperation.values())
                .filter(BlockOperation::isUnary)
                .toList()) {
            ByteString good = unary.request(BlockTarget.of(LocalStack.RESOURCE, prompt, 0));
            for (List<ByteString> wrong :
                    List.of(List.<ByteString>of(), List.of(good, good), List.of(good, good, good))) {
                assertThat(calls.call(unary.method(), RawCalls.headers(key()), wrong)
                                .code())
                        .as("%s of %d messages", unary, wrong.size())
                        .isEqualTo(Code.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    void aMethodThatDoesNotExistIsNotImplemented() {
        var method = BlockOperation.READ.method().toBuilder()
                .setFullMethodName("kvstore.v1.KVStoreService/Delete")
                .build();

        assertThat(calls.call(method, RawCalls.headers(key()), List.of(ByteString.EMPTY))
                        .code())
                .isEqualTo(Code.UNIMPLEMENTED);
    }

    @Test
    void headersOfFiveMebibytesEndTheirCallAlone() {
        Metadata headers = RawCalls.headers(key());
        headers.put(Metadata.Key.of("padding", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(HEADER_BYTES));

        Reply reply = calls.call(BlockOperation.LOOKUP.method(), headers, List.of(ByteString.EMPTY));

        assertThat(reply.code()).isNotEqualTo(Code.OK);
    }

    @Test
    void bytesThatAreNoHttpEndTheirConnectionAlone() throws IOException {
        int colon = endpoint().lastIndexOf(':');
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8);
        for (int i = 0; i < 20; i++) {
            byte[] garbage = new byte[random.nextInt(1, 20_000)];
            random.nextBytes(garbage);
            try (Socket socket = new Socket(
                    endpoint().substring(0, colon), Integer.parseInt(endpoint().substring(colon + 1)))) {
                socket.setSoTimeout(10_000);
                OutputStream out = socket.getOutputStream();
                if (i % 2 == 0) {
                    out.write(preface);
                }
                out.write(garbage);
                socket.shutdownOutput();
                assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(10_000);
            } catch (SocketException reset) {
                assertThat(reset).hasMessageMatching("(?i).*(reset|broken pipe).*");
            }
        }
    }
}
