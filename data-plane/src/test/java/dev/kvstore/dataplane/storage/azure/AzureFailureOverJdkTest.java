package dev.kvstore.dataplane.storage.azure;

import org.junit.jupiter.api.Tag;

@Tag("slow")
final class AzureFailureOverJdkTest extends AzureFailureContract {
    AzureFailureOverJdkTest() {
        super(Transport.JDK);
    }
}
