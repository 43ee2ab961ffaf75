package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.azure.AzureContainer;
import dev.kvstore.dataplane.storage.azure.AzureStores;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.dataplane.storage.azure.StorageCredential;
import dev.kvstore.testing.SharedAzurite;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class AzureMainJobTest extends MainJobContract {
    private final AzureStores stores = new AzureStores(Outbound.DEFAULT, new SimpleMeterRegistry());
    private final AzureContainer container = new AzureContainer(
            SharedAzurite.endpoint(),
            SharedAzurite.newContainerName(),
            new StorageCredential.ConnectionString(SharedAzurite.connectionString()),
            true);

    @Override
    DataPlaneFixture start(Map<String, String> settings) {
        return new DataPlaneFixture(
                new StorageLocation.Azure(
                        container.endpoint(),
                        container.name(),
                        new CredentialReference.EnvironmentVariable("TEST"),
                        true),
                location -> stores.open(container),
                settings);
    }

    @Override
    void closeStores() {
        stores.close();
    }
}
