package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.http2.Http2Channel;
import dev.kvstore.protocol.wire.ServerInfo;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call to one data plane, from the choice of the data plane to the outcome. The transport's events decide the
 * health of the data plane at once, and the call counts at the data plane until it is closed; neither waits for the
 * application. Thread-safe.
 */
public final class Attempt {
    private static final Metadata.Key<String> CONTENT_TYPE =
            Metadata.Key.of("content-type", Metadata.ASCII_STRING_MARSHALLER);

    /**
     * The options of calls with short answers: the least window, which every stream has in any case, costs no frame.
     */
    private static final CallOptions SHORT_ANSWERS = CallOptions.DEFAULT.withOption(Http2Channel.WINDOW, 0);

    private static final String FROZEN = "the process does not answer";

    private final RouteEndpoints endpoints;
    private final Endpoint endpoint;
    private final Deadline deadline;
    private final Time time;
    private final long began;
    private final AtomicBoolean trial;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private volatile boolean answered;
    private volatile boolean refused;
    private volatile boolean stalled;
    private volatile boolean cancelled;
    private volatile @Nullable ClientCall<?, ?> call;

    /**
     * @param trial whether the attempt holds the one place of {@link
     *     dev.kvstore.client.internal.routing.Health#beginTrial}
     */
    Attempt(RouteEndpoints endpoints, Endpoint endpoint, boolean trial, Deadline deadline, Time time) {
        this.endpoints = endpoints;
        this.endpoint = endpoint;
        this.trial = new AtomicBoolean(trial);
        this.deadline = deadline;
        this.time = time;
        this.began = time.nanos();
        endpoint.begun(this, began);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /**
     * Begins a call with short answers. If a step of the call throws, the call is cancelled and the attempt is over.
     */
    public <Q, R> ClientCall<Q, R> call(MethodDescriptor<Q, R> method) {
        return call(method, SHORT_ANSWERS);
    }

    /**
     * Begins a call whose answer may be as long as a block. If a step of the call throws, the call is cancelled and the
     * attempt is over.
     */
    public <Q, R> ClientCall<Q, R> callForBlock(MethodDescriptor<Q, R> method) {
        return call(method, CallOptions.DEFAULT);
    }

    /**
     * Begins a call with further options, beside deadline and credentials. If a step of the call throws, the attempt is
     * over.
     */
    public <Q, R> ClientCall<Q, R> call(MethodDescriptor<Q, R> method, CallOptions options) {
        ClientCall<Q, R> made;
        try {
            made = new Counted<>(endpoint.call(method, options.withDeadline(deadline)));
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        }
        call = made;
        if (stalled) {
            made.cancel(FROZEN, null);
        }
        return made;
    }

    private final class Counted<Q, R> extends SimpleForwardingClientCall<Q, R> {
        Counted(ClientCall<Q, R> transport) {
            super(transport);
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            Listener<R> mine = listening(listener);
            if (!step(() -> super.start(mine, headers))) {
                mine.onClose(Status.CANCELLED.withDescription("stalled before it began"), new Metadata());
            }
        }

        @Override
        public void request(int messages) {
            boolean unused = step(() -> super.request(messages));
        }

        @Override
        public void sendMessage(Q message) {
            boolean unused = step(() -> super.sendMessage(message));
        }

        @Override
        public void halfClose() {
            boolean unused = step(super::halfClose);
        }

        @Override
        public void cancel(@Nullable String why, @Nullable Throwable cause) {
            cancelled = true;
            super.cancel(why, cause);
        }

        /**
         * Runs a step with the call. If the call was cancelled meanwhile because its data plane is frozen, the step
         * throws, and the listener gets the end of the call.
         *
         * @return false if the call was cancelled in this way
         */
        private boolean step(Runnable step) {
            try {
                step.run();
                return true;
            } catch (RuntimeException | Error e) {
                if (stalled && e instanceof IllegalStateException) {
                    return false;
                }
                cancel("a step of the call failed", e);
                end();
                throw e;
            }
        }
    }

    private <R> ClientCall.Listener<R> listening(ClientCall.Listener<R> listener) {
        return new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onHeaders(Metadata headers) {
                endpoint.heard(time.nanos());
                super.onHeaders(headers);
            }

            @Override
            public void onMessage(R message) {
                answer();
                super.onMessage(message);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
                try {
                    closed(status, trailers);
                } finally {
                    super.onClose(status, trailers);
                }
            }
        };
    }

    private void closed(Status status, Metadata trailers) {
        end();
        if (fromServer(status, trailers)) {
            endpoint.heard(time.nanos());
            refused = !status.isOk();
        }
        if (status.isOk()) {
            answer();
        } else if (!cancelled && Errors.within(status.getCause(), Error.class) == null) { // no failure of this client
            judge(Errors.of(status, trailers));
        }
    }

    private void judge(KvStoreException failure) {
        if (failure.code() == ErrorCode.UNAVAILABLE) {
            endpoints.failed(endpoint, began, !refused, String.valueOf(failure.getMessage()));
        } else if (failure.code() == ErrorCode.DEADLINE_EXCEEDED && !answered && !refused) {
            endpoint.unanswered();
            endpoints.timedOut(endpoint, began);
        } else if (refused) {
            endpoints.answered(endpoint, began); // an answer that refuses shows that the data plane works
        }
    }

    /** Whether the data plane itself ended the call with this status, and not the network. */
    static boolean fromServer(Status status, Metadata trailers) {
        return status.isOk()
                || status.getCode() == Status.Code.UNIMPLEMENTED
                || (status.getCause() == null
                        && (trailers.containsKey(CONTENT_TYPE) || trailers.containsKey(ServerInfo.VERSION)));
    }

    private void answer() {
        endpoint.heard(time.nanos());
        if (!answered) {
            answered = true;
            endpoints.answered(endpoint, began);
            endTrial();
        }
    }

    /** Ends the call, since the data plane is frozen; its operation continues at another data plane. */
    void stall() {
        stalled = true;
        endpoints.frozen(endpoint, began);
        ClientCall<?, ?> under = call;
        if (under != null) {
            under.cancel(FROZEN, null);
        }
    }

    /**
     * Sets whether the call waits for the data plane, which is true at first. A writer without blocks under way does
     * not wait, and neither does a reader that takes no blocks: an idle call shows nothing about its data plane.
     */
    public void waits(boolean now) {
        if (waiting.compareAndSet(!now, now)) {
            if (now) {
                endpoint.begunToWait(time.nanos());
            } else {
                endpoint.endedToWait();
            }
        }
        if (now && ended.get()) { // another thread may have ended the attempt meanwhile
            waits(false);
        }
    }

    public void succeeded() {
        end();
        answer();
    }

    /** Ends the attempt, and returns the failure for the application. */
    public KvStoreException failed(KvStoreException failure) {
        end();
        return stalled
                ? new KvStoreException(
                        ErrorCode.UNAVAILABLE, "process " + endpoint + " holds the connection and does not answer")
                : failure;
    }

    /** Whether the data plane was not reached or went silent, and so did no work. */
    boolean unreached() {
        return stalled || (!answered && !refused);
    }

    /** Ends a call that the application gave up, which does not count for or against the data plane. */
    public void abandoned() {
        end();
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            waits(false);
            endpoint.ended(this);
            endTrial();
        }
    }

    private void endTrial() {
        if (trial.compareAndSet(true, false)) {
            endpoint.health().endTrial();
        }
    }
}
