package dev.kvstore.benchmark.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.control.ServerTimes;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.TemporaryFolder;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.Call;
import dev.kvstore.launcher.stack.ControlPlane;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Many clusters, and clients that ask where to go, and watch while one of them drains. For one thread. */
final class RoutesRun {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int REGIONS = 10;
    private static final int ACCOUNTS = 50;
    private static final int WARM_UP = 60_000;
    private static final int WARM_UP_ROUNDS = 2;
    private static final int ASKED = 20_000;
    private static final int PER_CONNECTION = 100;
    private static final int ROUNDS = 3;
    private static final long PATIENCE_SECONDS = 60;

    /** Until the weights have settled of processes that have just joined, and what is read of them. */
    private static final int SETTLE_SECONDS = 40;

    private static final double NANOS = 1e9;

    private final Home home;
    private final int members;
    private final int watchers;
    private final List<String> clusters;
    private final Consumer<String> progress;

    RoutesRun(Home home, int clusters, int members, int watchers, Consumer<String> progress) {
        this.home = home;
        this.members = members;
        this.watchers = watchers;
        this.clusters = IntStream.range(0, clusters).mapToObj(i -> "bench-" + i).toList();
        this.progress = progress;
    }

    RoutesReport run() throws IOException, InterruptedException {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        progress.accept("starting a control plane");
        Files.createDirectories(home.target());
        try (TemporaryFolder folder = TemporaryFolder.in(home.target(), "kv-routes-")) {
            StackOptions options = StackOptions.onFreePorts(home, folder.path())
                    .withDataPlanes(1)
                    .withControlPlane(ControlPorts.FREE);
            try (LocalStack stack = LocalStack.start(options, new SecureRandom())) {
                ControlPlane control = Objects.requireNonNull(stack.controlPlane());
                try (AdminClient admin = control.admin();
                        SimulatedFleet fleet = new SimulatedFleet(control, members, clusters, RoutesRun::load)) {
                    register(admin, folder.path());
                    progress.accept(members + " processes join " + clusters.size() + " clusters");
                    fleet.join();
                    fleet.begin();
                    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
                    return measure(control, admin, load);
                }
            }
        }
    }

    /** From idle to two thirds used, the same always; each cluster has all kinds. */
    private static Load load(SimulatedMember member) {
        return Load.newBuilder().setCpu(used(member.number())).build();
    }

    private static double used(int member) {
        return member / 7 % 7 / 10.0;
    }

    private RoutesReport measure(ControlPlane control, AdminClient admin, double load) throws InterruptedException {
        String key = admin.send(Call.post(List.of("v1", "tenants", LocalStack.TENANT, "keys"), JSON.objectNode()))
                .accepted()
                .body()
                .path("key")
                .asText();
        int connections = Math.ceilDiv(watchers, PER_CONNECTION);
        try (RouteWatches clients = new RouteWatches(control, key, watchers, connections)) {
            RoutesReport.Answers answers = ask(control, clients);
            RoutesReport.Spread spread = spread(clients);
            progress.accept(watchers + " watchers on " + connections + " connections");
            clients.expect(clusters.getFirst(), true);
            clients.begin(this::request);
            requireAll(clients.await(PATIENCE_SECONDS));
            List<RoutesReport.Watching> rounds = new ArrayList<>();
            for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
                RoutesReport.Watching round = drain(admin, clients, connections);
                if (i >= 0) {
                    rounds.add(round);
                }
            }
            return new RoutesReport(load, clusters.size(), members, answers, spread, rounds);
        }
    }

    private void requireAll(List<Long> told) {
        if (told.size() < watchers) {
            throw new LaunchException("only " + told.size() + " of " + watchers + " watchers were told a route within "
                    + PATIENCE_SECONDS + " s");
        }
    }

    private GetRouteRequest request(int number) {
        return GetRouteRequest.newBuilder()
                .setResourceName(account(number % ACCOUNTS))
                .setRegion(region(number / ACCOUNTS % REGIONS))
                .build();
    }

    private RoutesReport.Answers ask(ControlPlane control, RouteWatches clients) {
        progress.accept("warming up");
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < WARM_UP; i++) {
            var _ = clients.ask(request(random.nextInt(ACCOUNTS * REGIONS)));
        }
        progress.accept("asking for " + ASKED + " routes, one at a time");
        Latencies latencies = new Latencies();
        Metrics before = control.metrics();
        for (int i = 0; i < ASKED; i++) {
            GetRouteRequest request = request(random.nextInt(ACCOUNTS * REGIONS));
            long start = System.nanoTime();
            var _ = clients.ask(request);
            latencies.addSince(start);
        }
        Metrics after = control.metrics();
        ServerTimes server = ServerTimes.between("GetRoute", before, after);
        return new RoutesReport.Answers(
                latencies.percentiles(),
                server.p50Millis(),
                server.p99Millis(),
                workedOut(after, "0.5"),
                workedOut(after, "0.99"));
    }

    private static double workedOut(Metrics metrics, String quantile) {
        return 1e3
                * metrics.samples().stream()
                        .filter(sample -> sample.name().equals("kvstore_route_seconds")
                                && quantile.equals(sample.labels().get("quantile")))
                        .mapToDouble(Metrics.Sample::value)
                        .sum();
    }

    private RoutesReport.Spread spread(RouteWatches clients) {
        int targets = 0;
        double largest = 0;
        for (int i = 0; i < ACCOUNTS; i++) {
            Route route = clients.ask(request(i));
            for (Level level : route.getLevelsList()) {
                double work = level.getTargetsList().stream()
                        .mapToInt(Target::getWeight)
                        .sum();
                double all = level.getTargetsList().stream()
                        .mapToDouble(RoutesRun::headroom)
                        .sum();
                for (Target target : level.getTargetsList()) {
                    double ratio = target.getWeight() / work / (headroom(target) / all);
                    largest = Math.max(largest, Math.abs(ratio - 1));
                    targets++;
                }
            }
        }
        return new RoutesReport.Spread(targets, largest);
    }

    /** As a share; all have the same bandwidth. */
    private static double headroom(Target target) {
        return 1 - used(Integer.parseInt(target.getProcess().substring(1)));
    }

    private RoutesReport.Watching drain(AdminClient admin, RouteWatches clients, int connections)
            throws InterruptedException {
        String cluster = clusters.getFirst();
        progress.accept(cluster + " drains and comes back");
        clients.expect(cluster, false);
        long start = System.nanoTime();
        state(admin, cluster, "draining");
        List<Long> told = clients.await(PATIENCE_SECONDS);
        clients.expect(cluster, true);
        state(admin, cluster, "active");
        requireAll(clients.await(PATIENCE_SECONDS));
        return new RoutesReport.Watching(
                watchers,
                connections,
                told.size(),
                seconds(told, start, 0.5),
                seconds(told, start, 0.99),
                seconds(told, start, 1));
    }

    private static double seconds(List<Long> told, long start, double part) {
        if (told.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        int index = (int) Math.ceil(part * told.size()) - 1;
        return (told.get(index) - start) / NANOS;
    }

    private static String region(int number) {
        return "bench-r" + number;
    }

    private static String account(int number) {
        return "bench-a" + number;
    }

    private void register(AdminClient admin, Path folder) throws InterruptedException {
        progress.accept(
                "registering " + REGIONS + " regions, " + clusters.size() + " clusters, " + ACCOUNTS + " accounts");
        for (int i = 0; i < REGIONS; i++) {
            put(admin, JSON.objectNode(), "regions", region(i));
            for (int j = 0; j < i; j++) {
                put(
                        admin,
                        JSON.objectNode().put("micros", 10_000 * (i - j)),
                        "regions",
                        region(i),
                        "round-trips",
                        region(j));
            }
        }
        for (int i = 0; i < clusters.size(); i++) {
            put(
                    admin,
                    JSON.objectNode().put("region", region(i % REGIONS)).put("state", "active"),
                    "clusters",
                    clusters.get(i));
        }
        for (int i = 0; i < ACCOUNTS; i++) {
            ObjectNode account = JSON.objectNode().put("tenant", LocalStack.TENANT);
            account.putArray("allowedRegions").add(region(0)).add(region(1)).add(region(2));
            account.putArray("replicas")
                    .addObject()
                    .put("region", region(0))
                    .put("endpoint", folder.resolve(account(i)).toUri().toString())
                    .put("vouched", true);
            put(admin, account, "accounts", account(i));
            // So that all routes name it.
            put(
                    admin,
                    JSON.objectNode().put("cluster", clusters.getFirst()),
                    "accounts",
                    account(i),
                    "placements",
                    region(0));
        }
        for (int i = 0; i < ACCOUNTS; i++) {
            awaitReady(admin, account(i));
        }
    }

    private static void awaitReady(AdminClient admin, String account) throws InterruptedException {
        long start = System.nanoTime();
        while (!admin.send(Call.get(List.of("v1", "accounts", account)))
                .accepted()
                .body()
                .path("ready")
                .asBoolean()) {
            if ((System.nanoTime() - start) / NANOS > PATIENCE_SECONDS) {
                throw new LaunchException(account + " was not ready within " + PATIENCE_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static void state(AdminClient admin, String cluster, String state) throws InterruptedException {
        put(admin, JSON.objectNode().put("region", region(0)).put("state", state), "clusters", cluster);
    }

    private static void put(AdminClient admin, ObjectNode spec, String... path) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("v1"));
        all.addAll(List.of(path));
        admin.send(Call.put(all, spec)).accepted();
    }
}
