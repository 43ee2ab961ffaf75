package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.control.ServerTimes;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.Target;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Routes that are asked for. For one thread. */
record RouteAnswers(StackControlPlane control, RouteWatches clients) {
    private static final int WARM_UP = 60_000;
    private static final int ASKED = 20_000;

    /** From idle to two thirds used, the same always; each cluster has all kinds. */
    static Load load(SimulatedMember member) {
        return Load.newBuilder().setCpu(used(member.number())).build();
    }

    private static double used(int member) {
        return member / 7 % 7 / 10.0;
    }

    /** How soon one is there that is asked for, when many were asked for before. */
    RoutesReport.RouteLatencies ask(Consumer<String> progress) {
        progress.accept("warming up");
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < WARM_UP; i++) {
            var _ = clients.ask(RoutesScene.request(random.nextInt(RoutesScene.ACCOUNTS * RoutesScene.REGIONS)));
        }
        progress.accept("asking for " + ASKED + " routes, one at a time");
        Latencies latencies = new Latencies();
        Metrics before = control.metrics();
        for (int i = 0; i < ASKED; i++) {
            GetRouteRequest request = RoutesScene.request(random.nextInt(RoutesScene.ACCOUNTS * RoutesScene.REGIONS));
            long start = System.nanoTime();
            var _ = clients.ask(request);
            latencies.addSince(start);
        }
        Metrics after = control.metrics();
        ServerTimes server = ServerTimes.between("GetRoute", before, after);
        ServerTimes computed = ServerTimes.of("kvstore_route_computation_duration_seconds", before, after);
        return new RoutesReport.RouteLatencies(
                latencies.percentiles(),
                server.p50Millis(),
                server.p99Millis(),
                computed.p50Millis(),
                computed.p99Millis());
    }

    /** How far the work that routes give to processes is from what these have room for. */
    RoutesReport.WeightSpread spread() {
        int targets = 0;
        double largest = 0;
        for (int i = 0; i < RoutesScene.ACCOUNTS; i++) {
            Route route = clients.ask(RoutesScene.request(i));
            for (Level level : route.getLevelsList()) {
                double work = level.getTargetsList().stream()
                        .mapToInt(Target::getWeight)
                        .sum();
                double all = level.getTargetsList().stream()
                        .mapToDouble(RouteAnswers::headroom)
                        .sum();
                for (Target target : level.getTargetsList()) {
                    double ratio = target.getWeight() / work / (headroom(target) / all);
                    largest = Math.max(largest, Math.abs(ratio - 1));
                    targets++;
                }
            }
        }
        return new RoutesReport.WeightSpread(targets, largest);
    }

    /** The headroom as a share; all data planes have the same bandwidth. */
    private static double headroom(Target target) {
        return 1 - used(Integer.parseInt(target.getProcess().substring(1)));
    }
}
