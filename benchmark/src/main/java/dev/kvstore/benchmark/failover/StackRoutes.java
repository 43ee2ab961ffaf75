package dev.kvstore.benchmark.failover;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc.RouteServiceBlockingStub;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The routes of the stack's control plane, as a client in the first region gets them. For one thread. */
final class StackRoutes implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long POLL_MILLIS = 50;

    private final ManagedChannel channel;
    private final RouteServiceBlockingStub stub;
    private final GetRouteRequest question;

    StackRoutes(LocalStack stack) {
        StackControlPlane control = Objects.requireNonNull(stack.controlPlane());
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + stack.key().text());
        this.channel = Grpc.newChannelBuilder(control.address(), InsecureChannelCredentials.create())
                .build();
        this.stub = RouteServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        this.question = GetRouteRequest.newBuilder()
                .setResourceName(LocalStack.RESOURCE)
                .setRegion(stack.layout().regions().getFirst().name())
                .build();
    }

    /** How long it takes, in seconds, until none of these is in the route. */
    double untilWithout(Collection<StackDataPlane> dataPlanes) throws InterruptedException {
        Set<String> names = names(dataPlanes);
        return until(targets -> targets.stream().noneMatch(names::contains), "still routes to one of " + names);
    }

    /** How long it takes, in seconds, until all of these are. */
    double untilWith(Collection<StackDataPlane> dataPlanes) throws InterruptedException {
        Set<String> names = names(dataPlanes);
        return until(targets -> targets.containsAll(names), "does not route to all of " + names);
    }

    private double until(Predicate<Set<String>> holds, String otherwise) throws InterruptedException {
        long start = System.nanoTime();
        while (!holds.test(targets())) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new LaunchException("after " + PATIENCE.toSeconds() + " s the control plane " + otherwise);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private Set<String> targets() {
        Route route = stub.withDeadlineAfter(PATIENCE).getRoute(question);
        return route.getLevelsList().stream()
                .flatMap(level -> level.getTargetsList().stream())
                .map(target -> target.getCluster() + "/" + target.getProcess())
                .collect(Collectors.toSet());
    }

    private static Set<String> names(Collection<StackDataPlane> dataPlanes) {
        return dataPlanes.stream()
                .map(dataPlane -> dataPlane.cluster() + "/" + dataPlane.memberName())
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    /** The names of all, for a message. */
    static List<String> named(Collection<StackDataPlane> dataPlanes) {
        return names(dataPlanes).stream().sorted().toList();
    }
}
