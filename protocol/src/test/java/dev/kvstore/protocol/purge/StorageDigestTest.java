package dev.kvstore.protocol.purge;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.control.v1.AzureStorage;
import dev.kvstore.protocol.control.v1.FilesystemStorage;
import dev.kvstore.protocol.control.v1.Storage;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class StorageDigestTest {
    /** Processes of two versions must agree: these were computed apart from this code. */
    @Test
    void itNeverChanges() {
        Storage azure = Storage.newBuilder()
                .setAzure(AzureStorage.newBuilder()
                        .setEndpoint("https://acme.blob.core.windows.net")
                        .setContainer("kv-cache")
                        .setCredential("managed-identity"))
                .build();

        assertThat(hex(StorageDigest.of(azure)))
                .isEqualTo("bd56a28a02c79978b079e30586c30408056793fdcb30bcb6a9374448c573f9f7");
        assertThat(hex(StorageDigest.of(folder("/blocks/acme"))))
                .isEqualTo("819461dd4a8b3cfabb649586ace360af364ac59137f76cbfff9f3af69c566fe8");
    }

    @Test
    void aFolderIsThePlaceThatItIsHoweverItIsWritten() {
        assertThat(StorageDigest.of(folder("/blocks//acme/"))).isEqualTo(StorageDigest.of(folder("/blocks/acme")));
    }

    private static Storage folder(String path) {
        return Storage.newBuilder()
                .setFilesystem(FilesystemStorage.newBuilder().setPath(path))
                .build();
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}
