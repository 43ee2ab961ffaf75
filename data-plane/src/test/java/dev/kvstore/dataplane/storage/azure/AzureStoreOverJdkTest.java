package dev.kvstore.dataplane.storage.azure;

final class AzureStoreOverJdkTest extends AzureStoreContract {
    AzureStoreOverJdkTest() {
        super(Transport.JDK);
    }
}
