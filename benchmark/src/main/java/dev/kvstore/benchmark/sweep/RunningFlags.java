package dev.kvstore.benchmark.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.stack.LocalStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a service that runs already. */
final class RunningFlags {
    private static final String KEY = "KV_API_KEY";

    @Option(
            names = "--endpoint",
            required = true,
            paramLabel = "HOST:PORT",
            split = ",",
            description = "Data planes of a service that runs, one or two. What is written stays in its storage.")
    private List<String> endpoints = List.of();

    @Option(
            names = "--resource",
            paramLabel = "NAME",
            defaultValue = LocalStack.RESOURCE,
            description = "The storage account there. Default: ${DEFAULT-VALUE}.")
    private String resource = LocalStack.RESOURCE;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the API key (default: the environment's " + KEY + ").")
    private @Nullable Path keyFile;

    @Option(names = "--trust", paramLabel = "FILE", description = "TLS, with authorities (PEM) to trust.")
    private @Nullable Path trust;

    @Option(names = "--tls", description = "TLS on loopback too.")
    private boolean tls;

    @Option(names = "--plaintext", description = "No TLS, wherever it is.")
    private boolean plaintext;

    /**
     * What they say together.
     *
     * @throws IllegalArgumentException if that cannot be
     */
    Access access(Map<String, String> environment) {
        if (endpoints.isEmpty() || endpoints.size() > 2) {
            throw new IllegalArgumentException("--endpoint: name one data plane or two, not " + endpoints.size());
        }
        Access access = new Access(
                endpoints,
                resource,
                key(environment),
                trust == null ? null : trust.toAbsolutePath().toString(),
                tls,
                plaintext);
        try {
            // Checks all of it and connects to nobody.
            access.client(0, 1).close();
            access.client(endpoints.size() - 1, 1).close();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--endpoint: " + e.getMessage(), e);
        }
        return access;
    }

    private String key(Map<String, String> environment) {
        if (keyFile == null) {
            String key = environment.get(KEY);
            if (key == null || key.isBlank()) {
                throw new IllegalArgumentException(
                        "--key-file: is missing; name the file with the API key of the service, or set " + KEY);
            }
            return key.strip();
        }
        try {
            return Files.readString(keyFile, UTF_8).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("--key-file: " + IoReason.withFile(e), e);
        }
    }
}
