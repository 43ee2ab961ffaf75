package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.launcher.stack.LocalStack;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of {@code kv bench replay} that choose the service. */
final class ServiceOptions {
    /** All of them. */
    static final List<String> FLAGS = List.of(
            "--speedup",
            "--block-bytes",
            "--at-once",
            "--memory-tier-size",
            "--disk-tier-size",
            "--endpoint",
            "--key-file",
            "--resource",
            "--metrics",
            SlowServer.FLAG);

    /**
     * A plan that holds.
     *
     * @param memoryTierSize of a service of its own, as the setting has it
     * @param diskTierSize of a service of its own, as the setting has it
     * @param slowed how much later a service of its own answers than it would
     * @param remote the service that runs; null for one of its own
     */
    record ReplayPlan(
            ReplayOptions replay,
            String memoryTierSize,
            String diskTierSize,
            Duration slowed,
            @Nullable Remote remote) {}

    /**
     * A service that runs.
     *
     * @param metrics addresses of its processes' metrics; may be empty
     */
    record Remote(List<String> endpoints, Path keyFile, String resource, List<String> metrics) {}

    private static final Pattern SIZE = Pattern.compile("\\d{1,12}[KMGT]?");
    private static final int MOST_AT_ONCE = 10_000;
    private static final double MOST_SPEEDUP = 1e6;

    /** Other processes of a region hear of a block within this: the bound that lookups are held to. */
    private static final Duration VISIBLE_WITHIN = Duration.ofSeconds(30);

    @Option(
            names = "--speedup",
            paramLabel = "X",
            defaultValue = "10",
            description =
                    "Factor by which requests come faster than in the trace, 0.1 to 1000000. Default: ${DEFAULT-VALUE}.")
    private double speedup;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "16384",
            description = "Bytes per block of 512 tokens, 1 to 67108864; scaled down from some "
                    + ReplayOptions.FULL_BLOCK_BYTES + ", at which the trace has hundreds of GB. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int blockBytes;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "64",
            description = "Most requests at a time, 1 to " + MOST_AT_ONCE
                    + "; those beyond wait, and the report says how long. Default: ${DEFAULT-VALUE}.")
    private int atOnce;

    @Option(
            names = "--memory-tier-size",
            paramLabel = "SIZE",
            defaultValue = "32M",
            description = "Memory for blocks of the service of its own; a quarter of it for those on their way to disk."
                    + " Default: ${DEFAULT-VALUE}.")
    private String memoryTierSize = "";

    @Option(
            names = "--disk-tier-size",
            paramLabel = "SIZE",
            defaultValue = "512M",
            description = "Disk for blocks of the service of its own, 0 or 512M and more. Default: ${DEFAULT-VALUE}.")
    private String diskTierSize = "";

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "Processes of a service that runs, in place of one of its own; blocks are written there, and stay.")
    private List<String> endpoints = List.of();

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the API key for --endpoint.")
    private @Nullable Path keyFile;

    @Option(
            names = "--resource",
            paramLabel = "NAME",
            defaultValue = LocalStack.RESOURCE,
            description = "The account for --endpoint. Default: ${DEFAULT-VALUE}.")
    private String resource = "";

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            split = ",",
            description = "Metrics pages of the data planes at --endpoint, as http://127.0.0.1:9085/q/metrics;"
                    + " without it nothing is said of tiers and storage calls.")
    private List<String> metrics = List.of();

    @Mixin
    private final SlowServer slowServer = new SlowServer();

    boolean isRemote() {
        return !endpoints.isEmpty();
    }

    /**
     * @throws IllegalArgumentException for a flag that cannot be, which it names
     */
    void check() {
        if (!(speedup >= 0.1 && speedup <= MOST_SPEEDUP)) {
            throw new IllegalArgumentException("--speedup: must be 0.1 to 1000000, not " + speedup);
        }
        require("--block-bytes", blockBytes, ReplayOptions.MOST_BLOCK_BYTES);
        require("--at-once", atOnce, MOST_AT_ONCE);
        requireSize("--memory-tier-size", memoryTierSize);
        requireSize("--disk-tier-size", diskTierSize);
        slowServer.time();
        if (isRemote() && (keyFile == null || !Files.isReadable(keyFile) || Files.isDirectory(keyFile))) {
            throw new IllegalArgumentException("--key-file: "
                    + (keyFile == null ? "--endpoint needs one" : keyFile + " cannot be read")
                    + "; name a file that holds the API key");
        }
        metrics.forEach(ServiceOptions::requireUrl);
        if (!isRemote() && (keyFile != null || !metrics.isEmpty())) {
            throw new IllegalArgumentException(
                    "--key-file, --metrics: go with --endpoint; a service of its own needs none");
        }
    }

    private static void require(String flag, int number, int most) {
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(flag + ": must be 1 to " + most + ", not " + number);
        }
    }

    private static void requireUrl(String url) {
        try {
            URI uri = new URI(url);
            if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
                return;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("--metrics: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(
                "--metrics: must be a URL such as http://127.0.0.1:9085/q/metrics, not " + url);
    }

    private static void requireSize(String flag, String size) {
        if (!SIZE.matcher(size).matches()) {
            throw new IllegalArgumentException(flag + ": must be a size such as 512M, not " + size);
        }
    }

    /** @param pace in place of {@code --speedup}; null for that */
    ReplayPlan plan(@Nullable Double pace) {
        Path key = keyFile;
        return new ReplayPlan(
                new ReplayOptions(
                        blockBytes, pace == null ? speedup : pace, atOnce, isRemote() ? VISIBLE_WITHIN : Duration.ZERO),
                memoryTierSize,
                diskTierSize,
                slowServer.time(),
                isRemote() && key != null ? new Remote(endpoints, key, resource, metrics) : null);
    }
}
