package dev.kvstore.control.route;

import dev.kvstore.control.resolve.CallFailure;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.resolve.OneMessage;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves {@code kvstore.control.v1.RouteService}: answers at once if the answer is in memory, else on a virtual thread
 * that asks the database.
 */
@GrpcService
@RegisterInterceptor(ClientKeys.class)
public class RouteCalls implements RouteServiceGrpc.AsyncService, BindableService {
    private static final int MAX_NAME = 200;

    private final Admissions admissions;
    private final Board board;
    private final RouteFeed feed;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    RouteCalls(Admissions admissions, Board board, RouteFeed feed) {
        this.admissions = admissions;
        this.board = board;
        this.feed = feed;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return OneMessage.of(RouteServiceGrpc.bindService(this));
    }

    /** The work for a client that was admitted. */
    @FunctionalInterface
    private interface RouteWork {
        void serve(Admitted admitted);
    }

    private void serve(GetRouteRequest request, StreamObserver<Route> call, RouteWork work) {
        ClientCredential credential = ClientCredential.CURRENT.get();
        if (credential == null) {
            throw new IllegalStateException("calls come by ClientKeys");
        }
        if (isStrange(request.getResourceName()) || request.getResourceName().isEmpty()) {
            call.onError(Invalid.field("resource_name", "must be 1 to " + MAX_NAME + " characters, none of them zero"));
            return;
        }
        if (isStrange(request.getRegion())) {
            call.onError(Invalid.field("region", "must be at most " + MAX_NAME + " characters, none of them zero"));
            return;
        }
        Admitted.RouteQuestion question = new Admitted.RouteQuestion(credential, request.getResourceName());
        admissions
                .known(question)
                .ifPresentOrElse(
                        admitted -> guard(call, () -> work.serve(admitted)),
                        () -> executor.execute(() -> guard(call, () -> work.serve(admissions.admit(question)))));
    }

    private static boolean isStrange(String name) {
        return name.length() > MAX_NAME || name.indexOf('\0') >= 0;
    }

    private static void guard(StreamObserver<?> call, Runnable work) {
        try {
            work.run();
        } catch (StatusRuntimeException e) {
            call.onError(e);
        } catch (RuntimeException | Error e) {
            call.onError(CallFailure.of(e));
        }
    }

    @Override
    public void getRoute(GetRouteRequest request, StreamObserver<Route> call) {
        serve(request, call, admitted -> {
            call.onNext(route(admitted, request));
            call.onCompleted();
        });
    }

    private Route route(Admitted admitted, GetRouteRequest request) {
        return (request.getExplain()
                        ? board.explained(admitted.terms().constraints(), request.getRegion(), false)
                                .map(Board.Explained::message)
                        : board.answer(admitted.terms().constraints(), request.getRegion())
                                .map(EncodedRoute::message))
                .orElseThrow(() -> Status.UNAVAILABLE
                        .withDescription("the fleet has not been read yet")
                        .asRuntimeException());
    }

    @Override
    public void watchRoute(GetRouteRequest request, StreamObserver<Route> observer) {
        ServerCallStreamObserver<Route> call = (ServerCallStreamObserver<Route>) observer;
        // The feed looks whether the call is gone; without a handler, a message to a call that is gone would be a
        // failure.
        call.setOnCancelHandler(feed::wake);
        call.setOnReadyHandler(feed::wake);
        call.setOnReadyThreshold(RouteWatcher.UNREAD);
        serve(
                request,
                call,
                admitted -> feed.add(new RouteWatcher(call, admitted, request.getRegion(), request.getExplain())));
    }
}
