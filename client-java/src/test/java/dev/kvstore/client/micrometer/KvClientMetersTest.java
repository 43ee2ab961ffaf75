package dev.kvstore.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.testing.ClosedPort;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class KvClientMetersTest {
    @Test
    void aRegistryShowsTheCountersOfAClient() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        Partition partition = Partition.of("meters");
        BlockChain chain = BlockChain.of(partition, Tokens.of(new int[128]));
        try (ClosedPort closed = new ClosedPort();
                KvClient client = KvClient.builder()
                        .endpoints("127.0.0.1:" + closed.number())
                        .apiKey("kv_a_b")
                        .resource("demo")
                        .build()) {
            new KvClientMeters(client, Tags.of("client", "gateway")).bindTo(registry);

            assertThat(catchThrowable(() -> client.lookup(partition, chain))).isNotNull();

            assertThat(client.counters().retries()).isPositive();
            assertThat(registry.get("kvstore.client.retries")
                            .tag("client", "gateway")
                            .functionCounter()
                            .count())
                    .isEqualTo((double) client.counters().retries());
            assertThat(registry.getMeters()).hasSize(6);
        }
    }
}
