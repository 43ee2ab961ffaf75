package dev.kvstore.launcher.admin;

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
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code kv admin} in this process, beside a control plane of which a test says every answer. */
abstract class AdminLine {
    static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final CommandLine admin = CommandLines.of(new AdminCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    RestPeer peer;
    Path token;

    @BeforeEach
    void start() throws IOException {
        peer = new RestPeer();
        token = Files.writeString(folder.resolve("token"), "kva_secret\n");
        Files.writeString(folder.resolve("twice"), "{\"state\": \"suspended\", \"state\": \"active\"}");
        Files.writeString(folder.resolve("trailing"), "{} {}");
    }

    @AfterEach
    void stop() {
        peer.close();
    }

    int run(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.addAll(1, List.of("--url", peer.url().toString(), "--token-file", token.toString()));
        return admin.execute(words.toArray(String[]::new));
    }
}
