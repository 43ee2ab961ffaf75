package dev.kvstore.client.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import dev.kvstore.testing.ClosedPort;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import org.junit.jupiter.api.Test;

class KvClientMetricsTest {
    @Test
    void aReaderSeesTheCountersOfAClientUntilTheyAreClosed() throws Exception {
        Partition partition = Partition.of("meters");
        BlockChain chain = BlockChain.of(partition, Tokens.of(new int[128]));
        InMemoryMetricReader reader = InMemoryMetricReader.create();
        try (SdkMeterProvider provider =
                        SdkMeterProvider.builder().registerMetricReader(reader).build();
                ClosedPort closed = new ClosedPort();
                KvClient client = KvClient.builder()
                        .endpoints("127.0.0.1:" + closed.number())
                        .apiKey("kv_a_b")
                        .resource("demo")
                        .build()) {
            KvClientMetrics metrics = KvClientMetrics.of(client, provider.get("gateway"), Attributes.empty());

            assertThat(catchThrowable(() -> client.lookup(partition, chain))).isNotNull();

            assertThat(client.counters().retries()).isPositive();
            assertThat(reader.collectAllMetrics())
                    .hasSize(6)
                    .filteredOn(metric -> metric.getName().equals("kvstore.client.retries"))
                    .singleElement()
                    .extracting(KvClientMetricsTest::value)
                    .isEqualTo(client.counters().retries());
            metrics.close();
            assertThat(reader.collectAllMetrics()).isEmpty();
        }
    }

    private static long value(MetricData metric) {
        return metric.getLongSumData().getPoints().iterator().next().getValue();
    }
}
