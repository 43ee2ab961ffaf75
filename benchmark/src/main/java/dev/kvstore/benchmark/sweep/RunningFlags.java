package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.launcher.stack.LocalStack;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a service that runs already. */
final class RunningFlags {
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
            description = "File with the API key (default: the environment's " + ServiceAccess.KEY + ").")
    private @Nullable Path keyFile;

    @Option(names = "--trust", paramLabel = "FILE", description = "TLS, with authorities (PEM) to trust.")
    private @Nullable Path trust;

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            split = ",",
            description =
                    "Pages of the metrics of these data planes, as in http://10.0.0.5:9085/q/metrics, which say what"
                            + " they did for all clients. Default: none.")
    private List<URI> metrics = List.of();

    @Option(names = "--tls", description = "TLS on loopback too.")
    private boolean tls;

    @Option(names = "--plaintext", description = "No TLS, wherever it is.")
    private boolean plaintext;

    /**
     * The access to the service that the flags describe together.
     *
     * @throws IllegalArgumentException if that cannot be
     */
    ServiceAccess access(Map<String, String> environment) {
        if (endpoints.isEmpty() || endpoints.size() > 2) {
            throw new IllegalArgumentException("--endpoint: name one data plane or two, not " + endpoints.size());
        }
        if (!metrics.isEmpty()
                && (metrics.size() != endpoints.size() || !metrics.stream().allMatch(URI::isAbsolute))) {
            throw new IllegalArgumentException("--metrics: name the page of each data plane of --endpoint, as in"
                    + " http://10.0.0.5:9085/q/metrics, or none");
        }
        return new ServiceAccess(
                        endpoints,
                        resource,
                        ServiceAccess.key("--key-file", keyFile, environment),
                        trust == null ? null : trust.toAbsolutePath().toString(),
                        tls,
                        plaintext)
                .requireUsable("--endpoint");
    }

    /** The pages of the data planes' metrics; none if nobody named them. */
    List<URI> metrics() {
        return metrics;
    }
}
