package dev.kvstore.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;
import org.testng.annotations.Test;

/** The rules of Reactive Streams for a publisher, as its own kit checks them. */
@Tag("slow")
class PublisherTckTest {
    private static final long MOST_BLOCKS = 1000;

    private final ScriptedServer server = new ScriptedServer(new StoringScript());
    private final KvAsyncClient client = client(1024);
    private final KvAsyncClient busy = client(1);

    private KvAsyncClient client(int calls) {
        return KvClient.builder()
                .endpoints(server.endpoint())
                .apiKey("kv_test")
                .resource("demo")
                .maxAsyncCalls(calls)
                .buildAsync();
    }

    @AfterEach
    void close() {
        client.close();
        busy.close();
        server.close();
    }

    private final class Verification extends FlowPublisherVerification<BlockResult> {
        Verification(Method rule) {
            // Rules of 3.9 sleep for all of this time, others until the signal comes.
            super(new TestEnvironment(rule.getName().contains("spec309") ? 5_000 : 60_000, 50));
        }

        @Override
        public Flow.Publisher<BlockResult> createFlowPublisher(long elements) {
            return client.read(SdkBlocks.chain((int) elements));
        }

        /** One whose only place a subscription has that never ends. */
        @Override
        public Flow.Publisher<BlockResult> createFailedFlowPublisher() {
            Flow.Publisher<BlockResult> refusing = busy.read(SdkBlocks.chain(1));
            refusing.subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {}

                @Override
                public void onNext(BlockResult result) {}

                @Override
                public void onError(Throwable reason) {}

                @Override
                public void onComplete() {}
            });
            return refusing;
        }

        @Override
        public long maxElementsFromPublisher() {
            return MOST_BLOCKS;
        }
    }

    @TestFactory
    Stream<DynamicTest> rules() {
        List<Method> rules = Stream.of(FlowPublisherVerification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .toList();
        assertThat(rules).hasSizeGreaterThan(30);
        return rules.stream().map(rule -> dynamicTest(rule.getName(), () -> verify(rule)));
    }

    private void verify(Method rule) throws Throwable {
        Verification verification = new Verification(rule);
        verification.setUp();
        try {
            rule.invoke(verification);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof SkipException)) { // a rule that the kit cannot check, or may be left out
                throw e.getCause();
            }
        }
    }
}
