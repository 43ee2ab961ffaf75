package dev.kvstore.dataplane.storage.azure;

final class AzureStoreOverNettyTest extends AzureStoreContract {
    AzureStoreOverNettyTest() {
        super(Transport.NETTY);
    }
}
