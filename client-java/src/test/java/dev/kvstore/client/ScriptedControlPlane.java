package dev.kvstore.client;

import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc.RouteServiceImplBase;
import dev.kvstore.protocol.control.v1.Target;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A control plane that tells its watchers the route it is told to. Thread-safe. */
final class ScriptedControlPlane extends RouteServiceImplBase implements AutoCloseable {
    private final Server server;
    private final List<StreamObserver<Route>> watchers = new ArrayList<>();
    private final List<GetRouteRequest> requests = new ArrayList<>();
    private @Nullable Route route;
    private @Nullable Status refusal;
    private int versions;

    ScriptedControlPlane() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(this)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String address() {
        return "127.0.0.1:" + port();
    }

    int port() {
        return server.getPort();
    }

    synchronized List<GetRouteRequest> requests() {
        return List.copyOf(requests);
    }

    /** A level of processes that are named by their addresses, in a region of its own. */
    static Level level(String region, int share, ScriptedServer... processes) {
        Level.Builder level = Level.newBuilder().setRegion(region).setShare(share);
        for (ScriptedServer process : processes) {
            level.addTargets(target(process, "1"));
        }
        return level.build();
    }

    static Level level(String region, int share, String address) {
        return Level.newBuilder()
                .setRegion(region)
                .setShare(share)
                .addTargets(Target.newBuilder()
                        .setCluster("c1")
                        .setProcess(address)
                        .setAddress(address)
                        .setWeight(100))
                .build();
    }

    static Target target(ScriptedServer process, String instance) {
        return Target.newBuilder()
                .setCluster("c1")
                .setProcess(process.endpoint())
                .setInstance(instance)
                .setAddress(process.endpoint())
                .setWeight(100)
                .build();
    }

    synchronized void say(Level... levels) {
        refusal = null;
        Route said = Route.newBuilder()
                .setVersion(Integer.toString(++versions))
                .addAllLevels(List.of(levels))
                .build();
        route = said;
        watchers.forEach(watcher -> watcher.onNext(said));
    }

    synchronized void refuse(Status status) {
        refusal = status;
        watchers.forEach(watcher -> watcher.onError(status.asException()));
        watchers.clear();
    }

    @Override
    public synchronized void watchRoute(GetRouteRequest request, StreamObserver<Route> answer) {
        requests.add(request);
        if (refusal != null) {
            answer.onError(refusal.asException());
            return;
        }
        watchers.add(answer);
        if (route != null) {
            answer.onNext(route);
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
