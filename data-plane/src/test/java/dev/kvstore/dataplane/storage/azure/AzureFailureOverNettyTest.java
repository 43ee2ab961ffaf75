package dev.kvstore.dataplane.storage.azure;

import org.junit.jupiter.api.Tag;

@Tag("slow")
final class AzureFailureOverNettyTest extends AzureFailureContract {
    AzureFailureOverNettyTest() {
        super(Transport.NETTY);
    }
}
