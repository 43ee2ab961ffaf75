package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.StackChannels;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc.RouteServiceBlockingStub;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The routes of a stack's control plane, as a client in the first region gets them. For one thread.
 *
 * @param channels to the control plane, with the client's key
 */
record StackRoutes(StackChannels channels, GetRouteRequest question) {
    private static final long PATIENCE_SECONDS = 90;
    private static final long POLL_MILLIS = 50;

    static StackRoutes of(LocalStack stack, StackChannels channels) {
        return new StackRoutes(
                channels,
                GetRouteRequest.newBuilder()
                        .setResourceName(LocalStack.RESOURCE)
                        .setRegion(stack.layout().regions().getFirst().name())
                        .build());
    }

    /** How long it takes, in seconds, until none of these is in the route. */
    double untilWithout(Collection<StackDataPlane> dataPlanes) throws InterruptedException {
        Set<String> names = names(dataPlanes);
        return until(targets -> Collections.disjoint(targets, names), "still routes to one of " + names);
    }

    /** How long it takes, in seconds, until all of these are. */
    double untilWith(Collection<StackDataPlane> dataPlanes) throws InterruptedException {
        Set<String> names = names(dataPlanes);
        return until(targets -> targets.containsAll(names), "does not route to all of " + names);
    }

    private double until(Predicate<Set<String>> holds, String otherwise) throws InterruptedException {
        long start = System.nanoTime();
        while (!holds.test(targets())) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new LaunchException("after " + PATIENCE_SECONDS + " s the control plane " + otherwise);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private Set<String> targets() {
        RouteServiceBlockingStub stub = RouteServiceGrpc.newBlockingStub(channels.get(0));
        Route route = stub.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS).getRoute(question);
        return route.getLevelsList().stream()
                .flatMap(level -> level.getTargetsList().stream())
                .map(target -> target.getCluster() + "/" + target.getProcess())
                .collect(Collectors.toSet());
    }

    /** The names of data planes, in their order. */
    static Set<String> names(Collection<StackDataPlane> dataPlanes) {
        return dataPlanes.stream()
                .map(dataPlane -> dataPlane.cluster() + "/" + dataPlane.memberName())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
