package dev.kvstore.endtoend;

import static org.awaitility.Awaitility.await;

import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * A TLS server of openssl on a free port of this machine, whose certificate may begin and end at any time.
 *
 * @param port it listens at 127.0.0.1
 */
record DatedServer(Process process, int port) implements AutoCloseable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    /**
     * Starts one.
     *
     * @param folder for its files, its own
     * @param alternativeNames in openssl's form: {@code IP:127.0.0.1}
     * @param flags further flags of {@code openssl s_server}
     */
    static DatedServer start(
            Path folder,
            TestAuthority authority,
            Instant begin,
            Instant end,
            String alternativeNames,
            List<String> flags)
            throws IOException {
        Files.createDirectories(folder);
        Files.createFile(folder.resolve("index"));
        String key = authority.certificate().toString().replaceFirst("\\.pem$", ".key");
        Files.writeString(folder.resolve("ca.cnf"), """
                [ca]
                default_ca = this
                [this]
                database = %1$s/index
                new_certs_dir = %1$s
                certificate = %2$s
                private_key = %3$s
                default_md = sha256
                rand_serial = yes
                unique_subject = no
                copy_extensions = copy
                policy = names
                [names]
                commonName = supplied
                """.formatted(folder, authority.certificate(), key));
        openssl(
                folder,
                "req",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=server",
                "-keyout",
                "key.pem",
                "-out",
                "request.pem",
                "-addext",
                "subjectAltName=" + alternativeNames);
        openssl(
                folder,
                "ca",
                "-batch",
                "-notext",
                "-config",
                "ca.cnf",
                "-in",
                "request.pem",
                "-out",
                "chain.pem",
                "-startdate",
                TIME.format(begin),
                "-enddate",
                TIME.format(end));
        int port = FreePorts.one();
        List<String> command = new ArrayList<>(List.of("openssl", "s_server", "-alpn", "h2"));
        command.addAll(List.of("-accept", "127.0.0.1:" + port));
        command.addAll(List.of("-cert", folder.resolve("chain.pem").toString()));
        command.addAll(List.of("-key", folder.resolve("key.pem").toString()));
        command.addAll(flags);
        Path said = folder.resolve("said");
        // Its standard input stays open: at its end the server would end, too.
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.readString(said).contains("ACCEPT"));
        return new DatedServer(process, port);
    }

    /** Runs openssl; words that end in a file's ending are files of the folder. */
    private static void openssl(Path folder, String... words) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (String word : words) {
            arguments.add(
                    word.matches("[\\w]+\\.(pem|cnf)") ? folder.resolve(word).toString() : word);
        }
        TestAuthority.openssl(arguments);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
