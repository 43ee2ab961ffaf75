package dev.kvstore.dataplane.storage.azure;

final class AzureFailureOverJdkTest extends AzureFailureContract {
    AzureFailureOverJdkTest() {
        super(Transport.JDK);
    }
}
