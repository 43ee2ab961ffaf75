package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PurgeCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PURGE = """
            {"id": "p-1", "state": "%s", "lookedAt": 1200, "deleted": 1100, "failed": %d, "flaw": %s, "waiting": %s}""";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine admin = CommandLines.of(new AdminCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    private RestPeer peer;
    private Path token;

    @BeforeEach
    void start() throws IOException {
        peer = new RestPeer();
        token = Files.writeString(folder.resolve("token"), "kva_secret\n");
    }

    @AfterEach
    void stop() {
        peer.close();
    }

    private int run(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.addAll(1, List.of("--url", peer.url().toString(), "--token-file", token.toString()));
        return admin.execute(words.toArray(String[]::new));
    }

    @Test
    void aBlockIsPurgedAndFollowedToItsEnd() throws Exception {
        peer.answers("POST /v1/purges", 201, PURGE.formatted("telling", 0, "null", "null"))
                .answers("GET /v1/purges/p-1", 200, PURGE.formatted("done", 0, "null", "null"));

        assertThat(run("purge acme --partition p --block-tokens 16 --block 0a1b"))
                .isZero();

        assertThat(JSON.readTree(peer.requests().getFirst().body())).isEqualTo(JSON.readTree("""
                        {"resourceName": "acme", "partition": "p", "blockTokens": 16, "block": "0a1b"}"""));
        assertThat(err.toString().lines()).containsExactly("p-1", "done: 1,100 blocks deleted of 1,200 looked at");
    }

    @Test
    void whoPurgesAKeyIsToldToRevokeItFirst() {
        peer.answers("POST /v1/purges", 201, PURGE.formatted("telling", 0, "null", "null"));

        assertThat(run("purge acme --key 0a1b --detach")).isZero();

        assertThat(err.toString()).contains("revoke the key first");
        assertThat(peer.requests()).hasSize(1);
    }

    @Test
    void whatStorageDoesNotLetGoOfIsAFailure() {
        peer.answers("GET /v1/purges/p-1", 200, PURGE.formatted("partial", 100, "\"home: locked\"", "null"));

        assertThat(run("purge --follow p-1")).isEqualTo(1);

        assertThat(err.toString())
                .contains("partial: 1,100 blocks deleted of 1,200 looked at; 100 failed; home: locked");
    }

    @Test
    void aPurgeIsCancelled() {
        peer.answers("POST /v1/purges/p-1/cancel", 200, PURGE.formatted("cancelled", 0, "null", "null"));

        assertThat(run("purge --cancel p-1")).isZero();

        assertThat(out.toString()).contains("cancelled");
    }

    @Test
    void itIsOfAnAccountAndOfOneKindOfBlocks() {
        assertThat(run("purge acme")).isNotZero();
        assertThat(run("purge --key 0a1b")).isNotZero();
        assertThat(run("purge acme --key 0a1b --partition p")).isNotZero();
        assertThat(run("purge acme --follow p-1")).isNotZero();
        assertThat(peer.requests()).isEmpty();
    }
}
