package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Storage;
import dev.kvstore.protocol.purge.StorageDigest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StorageDigestAgreementTest {
    /** The control plane has the storage as it goes over the wire, a data plane the place of a block. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://acme.blob.core.windows.net",
                "http://127.0.0.1:10000/devstoreaccount1",
                "https://acme.blob.core.windows.net/",
                "/blocks/acme",
                "/blocks//acme/",
                "/blocks/with space"
            })
    void controlPlaneAndDataPlaneNameAPlaceAlike(String where) {
        Storage storage = where.startsWith("/")
                ? Storage.newBuilder()
                        .setFilesystem(FilesystemStorage.newBuilder().setPath(where))
                        .build()
                : Storage.newBuilder()
                        .setAzure(AzureStorage.newBuilder()
                                .setEndpoint(where)
                                .setContainer("kv")
                                .setCredential("managed-identity"))
                        .build();

        assertThat(StorageDigest.of(StorageDecoder.location(storage, "demo").place()))
                .isEqualTo(StorageDigest.of(storage));
    }
}
