package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.StorageKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code kv up} comes back with everything it had. */
class KvUpIT {
    private static final long STOP_SECONDS = 30;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @ParameterizedTest
    @EnumSource(StorageKind.class)
    void aSecondUpInTheFolderHasTheSameKeyTokenTenantsAndBlocks(StorageKind storage) throws Exception {
        Prompt prompt = Prompt.unique(1);
        byte[] buffer = Prompt.bytes(10_000, 1);
        String key;
        String token;
        try (KvUp up = KvUp.start(folder, storage)) {
            key = up.apiKey();
            token = up.adminToken();
            admin(up, "put", "tenant", "acme", "displayName=Acme");
            try (KvClient client = client(up, key)) {
                client.write(prompt.partition(), prompt.block(0, buffer));
            }
            up.process().destroy();
            assertThat(up.process().waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
        }

        try (KvUp again = KvUp.start(folder, storage)) {
            assertThat(again.apiKey()).isEqualTo(key);
            assertThat(again.adminToken()).isEqualTo(token);
            assertThat(admin(again, "get", "tenant", "acme")).containsPattern("displayName +Acme");
            assertThat(admin(again, "get", "keys", "--tenant", "local").lines()).hasSize(2);
            try (KvClient client = client(again, key)) {
                Stacks.assertHolds(client, prompt.chain(), _ -> buffer);
            }
        }
    }

    private String admin(KvUp up, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("admin"));
        words.addAll(List.of(arguments));
        Kv.Result result =
                Kv.run(folder, Map.of("KVSTORE_URL", up.restUrl(), "KVSTORE_ADMIN_TOKEN", up.adminToken()), words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private static KvClient client(KvUp up, String key) {
        return KvClient.builder()
                .endpoints(up.endpoints().getFirst())
                .resource(up.resourceName())
                .apiKey(key)
                .build();
    }
}
