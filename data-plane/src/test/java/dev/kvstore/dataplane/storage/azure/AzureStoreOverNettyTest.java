package dev.kvstore.dataplane.storage.azure;

import org.junit.jupiter.api.Tag;

@Tag("slow")
final class AzureStoreOverNettyTest extends AzureStoreContract {
    AzureStoreOverNettyTest() {
        super(Transport.NETTY);
    }
}
