package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.testing.FaultProxy;
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Accounts that a data plane meets for the first time, each on a storage host of its own. */
@Tag("slow")
final class ColdAccountsTest {
    private static final String VARIABLE = "TEST_STORAGE";

    private final StoreCache stores = new StoreCache(new StoreOpener(
            Outbound.DEFAULT,
            AddedLatency.NONE,
            new StoreConditions(InstantSource.system()),
            new SimpleMeterRegistry(),
            Map.of(VARIABLE, SharedAzurite.connectionString()),
            Set.of()));
    private final List<FaultProxy> hosts = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        stores.close();
        for (FaultProxy host : hosts) {
            host.close();
        }
    }

    @Test
    void callsThatWantOneColdAccountCheckItsContainerOnce() throws Exception {
        open(1, 500);

        assertThat(hosts.getFirst().requests()).isEqualTo(1);
        assertThat(hosts.getFirst().connections()).isEqualTo(1);
    }

    @Test
    void eachOfManyColdAccountsIsOpenedOnce() throws Exception {
        open(200, 5);

        assertThat(hosts).extracting(FaultProxy::requests).containsOnly(1L);
        assertThat(hosts).extracting(FaultProxy::connections).containsOnly(1);
    }

    /** Wants the stores of so many accounts at once, each for so many callers. */
    private void open(int accounts, int callers) throws Exception {
        List<Account> cold = new ArrayList<>();
        for (int i = 0; i < accounts; i++) {
            FaultProxy host = new FaultProxy(SharedAzurite.endpoint(), i, Duration.ZERO);
            hosts.add(host);
            cold.add(new Account(
                    "t" + i,
                    "tenant",
                    new StorageLocation.Azure(
                            host.endpoint(),
                            SharedAzurite.newContainerName(),
                            new CredentialReference.EnvironmentVariable(VARIABLE),
                            true)));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> opened = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                for (Account account : cold) {
                    opened.add(threads.submit(() -> stores.store(account)));
                }
            }
            for (Future<?> store : opened) {
                store.get();
            }
        }
    }
}
