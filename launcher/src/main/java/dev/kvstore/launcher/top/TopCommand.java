package dev.kvstore.launcher.top;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.StopSignal;
import dev.kvstore.launcher.admin.ConnectionFlags;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.Plain;
import dev.kvstore.launcher.rest.TrustedAuthorities;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.settings.Version;
import java.io.PrintWriter;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kv top}: a table of what data planes do, drawn again each second. */
@Command(
        name = "top",
        description = "What data planes do at this moment, drawn again each second until Ctrl-C: those that the control"
                + " plane of --url knows, or those of --metrics. A data plane's health port must be open to this machine:"
                + " --http-host.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {"", "  kv top", "  kv top --once --metrics http://127.0.0.1:9085/q/metrics"})
public final class TopCommand implements Callable<Integer> {
    private static final long SECOND = 1_000;

    /** Puts the cursor into the upper left corner and clears what is below (ECMA-48). */
    private static final String REDRAW = "\u001b[H\u001b[J";

    @Option(
            names = "--metrics",
            paramLabel = "URL",
            split = ",",
            description =
                    "Pages of metrics of data planes, with commas between them, in place of those that the control plane knows.")
    private List<URI> metrics = List.of();

    @Option(names = "--once", description = "Print one table, of one second, and end.")
    private boolean once;

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        TopSource source = source();
        PrintWriter out = spec.commandLine().getOut();
        return StopSignal.guard(spec.commandLine().getErr(), () -> {
            long begin = System.nanoTime();
            Map<String, Metrics> before = source.read();
            if (before.isEmpty()) {
                throw new LaunchException(
                        "no data plane's metrics can be read: " + source.pages().values());
            }
            do {
                Thread.sleep(SECOND);
                long now = System.nanoTime();
                Map<String, Metrics> after = source.read();
                out.print((once ? "" : REDRAW) + table(source, before, after, (now - begin) / 1e9));
                out.flush();
                before = after;
                begin = now;
            } while (!once);
            return 0;
        });
    }

    private TopSource source() throws InterruptedException {
        SSLContext trust = TrustedAuthorities.of(connection.authorities());
        if (metrics.isEmpty()) {
            try (AdminClient client = connection.open()) {
                return TopSource.ofFleet(client, trust, connection::speaksTls);
            }
        }
        Map<String, URI> pages = new TreeMap<>();
        for (URI page : metrics) {
            if (page.getAuthority() == null
                    || page.getScheme() == null
                    || !page.getScheme().startsWith("http")) {
                throw new IllegalArgumentException(
                        "--metrics: " + page + " is no URL of metrics; write it like http://127.0.0.1:9085/q/metrics");
            }
            pages.put(page.getAuthority(), page);
        }
        return new TopSource(pages, trust);
    }

    private static String table(
            TopSource source, Map<String, Metrics> before, Map<String, Metrics> after, double seconds) {
        StringBuilder table = new StringBuilder(TopRow.HEAD).append('\n');
        for (String name : new TreeSet<>(source.pages().keySet())) {
            @Nullable Metrics earlier = before.get(name);
            @Nullable Metrics later = after.get(name);
            String line = earlier == null || later == null
                    ? "%-22s its metrics cannot be read".formatted(name)
                    : TopRow.between(name, earlier, later, seconds).line();
            table.append(Plain.line(line)).append('\n');
        }
        return table.toString();
    }
}
