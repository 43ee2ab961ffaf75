package dev.kvstore.client.internal;

import com.google.protobuf.Empty;
import dev.kvstore.client.internal.http2.Nanos;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves operations away from frozen data planes, which keep their connections and send nothing. HTTP/2's keepalive
 * would notice after 20 s. If no other data plane could take the operations, they stay. One thread runs it.
 */
public final class Watchdog implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    // grpc.health.v1.Health/Check of the process as a whole, with an empty message; any answer will do.
    private static final MethodDescriptor<Empty, Empty> HEALTH = MethodDescriptor.<Empty, Empty>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("grpc.health.v1.Health/Check")
            .setRequestMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
            .build();

    private final RouteEndpoints endpoints;
    private final Duration limit;
    private final Time time;

    public Watchdog(RouteEndpoints endpoints, Duration limit, Time time) {
        this.endpoints = endpoints;
        this.limit = limit;
        this.time = time;
    }

    /** Runs until the client is closed. */
    @Override
    public void run() {
        try {
            while (!time.await(endpoints.closing(), Silence.TICK)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at every data plane once. Catches everything, since an exception would end the thread without notice. */
    void look() {
        for (Endpoint endpoint : endpoints.inUse()) {
            try {
                look(endpoint);
            } catch (RuntimeException | Error e) {
                LOG.error("process {} could not be checked for silence; it is checked again", endpoint, e);
            }
        }
    }

    private void look(Endpoint endpoint) {
        long now = time.nanos();
        boolean owes = endpoint.owes();
        switch (endpoint.silence().look(owes, endpoint.heard(), now, limit)) {
            case ALIVE -> {
                if (!owes) {
                    endpoint.leaveAside();
                }
            }
            case ASK -> ask(endpoint, endpoint.anonymous(HEALTH, deadline()));
            case ASK_ASIDE -> {
                ManagedChannel aside = endpoint.aside();
                if (aside != null) {
                    ask(endpoint, aside.newCall(HEALTH, CallOptions.DEFAULT.withDeadline(deadline())));
                }
            }
            case FROZEN -> {
                if (endpoints.hasBeyond(Set.of(endpoint), now)) {
                    endpoints.frozen(endpoint, now);
                    endpoint.stalled();
                }
            }
        }
    }

    private Deadline deadline() {
        return Deadline.after(Nanos.of(limit), TimeUnit.NANOSECONDS);
    }

    private void ask(Endpoint endpoint, ClientCall<Empty, Empty> call) {
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onHeaders(Metadata headers) {
                        endpoint.heard(time.nanos());
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        if (Attempt.fromServer(status, trailers)) {
                            endpoint.heard(time.nanos());
                        }
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(Empty.getDefaultInstance());
        call.halfClose();
    }
}
