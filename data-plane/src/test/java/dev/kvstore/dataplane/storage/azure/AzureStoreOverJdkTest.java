package dev.kvstore.dataplane.storage.azure;

import org.junit.jupiter.api.Tag;

@Tag("slow")
final class AzureStoreOverJdkTest extends AzureStoreContract {
    AzureStoreOverJdkTest() {
        super(Transport.JDK);
    }
}
