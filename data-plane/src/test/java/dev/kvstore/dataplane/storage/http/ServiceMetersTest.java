package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceMetersTest {
    @ParameterizedTest
    @CsvSource({
        "account.blob.core.windows.net, blob.core.windows.net",
        "storage.example, storage.example",
        "localhost, localhost",
        "10.1.2.3, 10.1.2.3",
        "2001:db8::1, 2001:db8::1"
    })
    void aServiceIsAHostWithoutTheAccount(String host, String service) {
        assertThat(ServiceMeters.AllServices.service(host)).isEqualTo(service);
    }

    @Test
    void thereAreNeverManyServices() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ServiceMeters.AllServices meters = new ServiceMeters.AllServices(registry);
        for (int i = 0; i < 1_000; i++) {
            meters.of(new HttpOrigin(false, "host" + i, 80));
        }

        assertThat(registry.find("kvstore.storage.connection.attempts")
                        .tag("outcome", "opened")
                        .counters())
                .hasSize(21);
    }
}
