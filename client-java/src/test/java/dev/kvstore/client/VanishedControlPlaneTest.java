package dev.kvstore.client;

import static dev.kvstore.client.ScriptedControlPlane.level;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.Patience;
import dev.kvstore.testing.SilentProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A control plane whose connections a firewall forgets without closing them. */
@Tag("slow")
class VanishedControlPlaneTest {
    @Test
    void routesAreHeardOfOnANewConnectionAndTheLastOneServesMeanwhile() throws Exception {
        try (ScriptedControlPlane control = new ScriptedControlPlane();
                ScriptedServer first = new ScriptedServer(new StoringScript());
                ScriptedServer second = new ScriptedServer(new StoringScript());
                SilentProxy proxy = new SilentProxy(control.port())) {
            control.say(level("west", 1000, first));
            try (KvClient client = KvClient.builder()
                    .controlPlane("127.0.0.1:" + proxy.port())
                    .apiKey("kv_test")
                    .resource("demo")
                    .build()) {
                lookup(client);

                proxy.forget();
                control.say(level("west", 1000, second));

                lookup(client);
                await().atMost(Patience.LIMIT)
                        .until(() -> client.counters().routeVersion().equals("2"));
                lookup(client);
            }
            assertThat(second.credentials()).hasSize(1);
        }
    }

    private static void lookup(KvClient client) {
        client.lookup(SdkBlocks.PARTITION, SdkBlocks.chain(1), CallOptions.DEFAULT);
    }
}
