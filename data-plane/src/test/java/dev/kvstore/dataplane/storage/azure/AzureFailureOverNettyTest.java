package dev.kvstore.dataplane.storage.azure;

final class AzureFailureOverNettyTest extends AzureFailureContract {
    AzureFailureOverNettyTest() {
        super(Transport.NETTY);
    }
}
