package dev.kvstore.client;

import static dev.kvstore.client.ScriptedControlPlane.level;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.JvmProxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A JVM that has a proxy for HTTP, which leads to no data plane. */
class BesideProxyTest {
    @ParameterizedTest
    @EnumSource
    void controlPlaneAndDataPlanesAreReachedDirectly(TransportOptions.Stack stack) throws Exception {
        try (JvmProxy _ = new JvmProxy();
                ScriptedControlPlane control = new ScriptedControlPlane();
                ScriptedServer server = new ScriptedServer(new StoringScript())) {
            control.say(level("west", 1000, server));
            try (KvClient client = KvClient.builder()
                    .controlPlane("127.0.0.1:" + control.port())
                    .transport(TransportOptions.DEFAULT.withStack(stack))
                    .apiKey("kv_test")
                    .resource("demo")
                    .build()) {
                client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1), CallOptions.DEFAULT);
            }
            assertThat(server.credentials()).hasSize(1);
        }
    }
}
