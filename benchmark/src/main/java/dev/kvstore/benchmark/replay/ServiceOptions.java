package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.benchmark.measure.SlowServer;
import dev.kvstore.client.NewBlock;
import dev.kvstore.launcher.stack.LocalStack;
import java.net.URI;
import java.net.URISyntaxException;
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
    String memoryTierSize = "";

    @Option(
            names = "--disk-tier-size",
            paramLabel = "SIZE",
            defaultValue = "512M",
            description = "Disk for blocks of the service of its own, 0 or 512M and more. Default: ${DEFAULT-VALUE}.")
    String diskTierSize = "";

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "Processes of a service that runs, in place of one of its own; blocks are written there, and stay.")
    private List<String> endpoints = List.of();

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description =
                    "File with the API key for --endpoint (default: the environment's " + ServiceAccess.KEY + ").")
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
     * Checks all flags.
     *
     * @throws IllegalArgumentException for a flag that cannot be, which it names
     */
    void check() {
        require(speedup >= 0.1 && speedup <= MOST_SPEEDUP, "--speedup: must be 0.1 to 1000000, not " + speedup);
        require(
                blockBytes >= 1 && blockBytes <= NewBlock.MAX_BUFFER_BYTES,
                "--block-bytes: must be 1 to " + NewBlock.MAX_BUFFER_BYTES + ", not " + blockBytes);
        require(atOnce >= 1 && atOnce <= MOST_AT_ONCE, "--at-once: must be 1 to " + MOST_AT_ONCE + ", not " + atOnce);
        requireSize("--memory-tier-size", memoryTierSize);
        requireSize("--disk-tier-size", diskTierSize);
        var _ = slowed();
        var _ = remote();
        var _ = metrics();
        require(
                isRemote() || (keyFile == null && metrics.isEmpty()),
                "--key-file, --metrics: go with --endpoint; a service of its own needs none");
    }

    /** @param pace in place of {@code --speedup}; null for that */
    ReplayOptions replay(@Nullable Double pace) {
        return new ReplayOptions(
                blockBytes, pace == null ? speedup : pace, atOnce, isRemote() ? VISIBLE_WITHIN : Duration.ZERO);
    }

    /** How much later a service of its own answers than it would. */
    Duration slowed() {
        return slowServer.time();
    }

    /** The service that runs; null for one of its own. */
    @Nullable
    ServiceAccess remote() {
        return isRemote()
                ? new ServiceAccess(
                                endpoints,
                                resource,
                                ServiceAccess.key("--key-file", keyFile, System.getenv()),
                                null,
                                false,
                                false)
                        .requireUsable("--endpoint")
                : null;
    }

    /** Addresses of the metrics of the service that runs; may be empty. */
    List<URI> metrics() {
        return metrics.stream().map(ServiceOptions::url).toList();
    }

    private static URI url(String url) {
        try {
            URI uri = new URI(url);
            require(
                    "http".equals(uri.getScheme()) && uri.getHost() != null,
                    "--metrics: must be a URL such as http://127.0.0.1:9085/q/metrics, not " + url);
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("--metrics: " + e.getMessage(), e);
        }
    }

    private static void requireSize(String flag, String size) {
        require(SIZE.matcher(size).matches(), flag + ": must be a size such as 512M, not " + size);
    }

    private static void require(boolean holds, String flaw) {
        if (!holds) {
            throw new IllegalArgumentException(flaw);
        }
    }
}
