package dev.kvstore.dataplane.call;

import com.google.rpc.Code;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.listener.BriefCall;
import dev.kvstore.listener.CallerConnection;
import dev.kvstore.listener.HealthCalls;
import dev.kvstore.listener.HeldCall;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.PartSizes;
import dev.kvstore.protocol.wire.ServerInfo;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Lets in four kinds of calls: with a good API key, for health, of peers that show the peer token, and for reflection
 * from this machine; from elsewhere reflection needs a key. Adds the server's version and limits to every answer. It
 * checks a call's headers before any memory is taken for the call; a call whose key is not known yet waits in {@link
 * Strangers}. Hashes a key once per call. Thread-safe.
 */
public final class Authentication implements ServerInterceptor {
    private record AuthenticatedCaller(Credential credential, Party party) {}

    private static final Context.Key<AuthenticatedCaller> CALLER = Context.key("kvstore.caller");

    /** The services that tell of the others; gRPC has renamed the first one. */
    private static final Set<String> REFLECTION =
            Set.of("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection");

    private static final String BUSY =
            "too many API keys are being asked about that were never seen here; try again later";
    private static final String UNANSWERED =
            "the control plane does not answer, and whose this API key is is not known here; try again later";
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** The longest message of a peer, which splits longer announcements into several messages. */
    public static final int MAX_PEER_MESSAGE_BYTES = 1024 * 1024;

    /** Bounds of calls of peers, which themselves wait for two seconds. */
    private static final BriefCall.CallBounds PEERS =
            new BriefCall.CallBounds(MAX_PEER_MESSAGE_BYTES, Duration.ofSeconds(5), true);

    private final HealthCalls health;
    private final AccountResolver accounts;
    private final Strangers strangers;
    private final String version;
    private final Predicate<String> isPeer;

    /**
     * Lets in callers whose key is good.
     *
     * @param isPeer whether a shown token is this process's peer token
     */
    public Authentication(AccountResolver accounts, Strangers strangers, String version, Predicate<String> isPeer) {
        this.accounts = accounts;
        this.strangers = strangers;
        this.health = new HealthCalls(
                () -> strangers.count(Strangers.StrangerRefusal.PUBLIC_CALLS),
                () -> strangers.count(Strangers.StrangerRefusal.PUBLIC_MESSAGE));
        this.version = version;
        this.isPeer = isPeer;
    }

    /** The credential of the call that is being started. */
    public static Credential credential() {
        return CALLER.get().credential();
    }

    /** The party for which the call that is being started counts. */
    static Party party() {
        return CALLER.get().party();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        ServerCall<Q, R> introduced = new Introduced<>(call);
        CallerConnection caller = CallerConnection.of(call);
        String service = call.getMethodDescriptor().getServiceName();
        if (HealthCalls.SERVICE.equals(service) || (REFLECTION.contains(service) && isOfThisMachine(call))) {
            return health.start(call, headers, next, caller);
        }
        String key = Credentials.key(headers);
        if (PeerServiceGrpc.SERVICE_NAME.equals(service)) {
            return key != null && isPeer.test(key)
                    ? startOfPeer(introduced, headers, next, caller)
                    : refuse(introduced, caller, Strangers.StrangerRefusal.NO_KEY, CallRefusal.unauthenticated());
        }
        Credential credential = key == null ? null : Credential.of(key);
        if (credential == null) {
            return refuse(introduced, caller, Strangers.StrangerRefusal.NO_KEY, CallRefusal.unauthenticated());
        }
        return switch (accounts.standing(credential)) {
            case GOOD -> start(introduced, headers, next, credential, caller);
            case UNKNOWN -> refuseKey(introduced, caller, CallRefusal.unauthenticated());
            case EXPIRED -> refuseKey(introduced, caller, CallRefusal.expired());
            case DOUBTED, UNHEARD -> startLater(introduced, headers, next, credential, caller);
        };
    }

    /** Whether the caller is on this machine, or its balancer says so. */
    private static boolean isOfThisMachine(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress address
                && address.getAddress() != null
                && address.getAddress().isLoopbackAddress();
    }

    private <Q, R> ServerCall.Listener<Q> start(
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            Credential credential,
            CallerConnection caller) {
        if (!caller.admit()) {
            return full(call);
        }
        Party party = accounts.party(credential);
        InboundMeter.Gauge gauge = InboundMeter.current();
        if (gauge != null) {
            gauge.belongsTo(party, caller.held());
        }
        Context context = Context.current().withValue(CALLER, new AuthenticatedCaller(credential, party));
        return Contexts.interceptCall(context, call, headers, next);
    }

    private static <Q, R> ServerCall.Listener<Q> startOfPeer(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next, CallerConnection caller) {
        return caller.admit() ? BriefCall.start(call, headers, next, PEERS, () -> {}) : full(call);
    }

    private static <Q> ServerCall.Listener<Q> full(ServerCall<Q, ?> call) {
        CallFailures.close(call, CallRefusal.of(Code.UNAVAILABLE, "the server has as many connections as it may"));
        return CallInput.deaf();
    }

    /** Starts a call once its key is known to be good. Until then no message of it is received. */
    private <Q, R> ServerCall.Listener<Q> startLater(
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            Credential credential,
            CallerConnection caller) {
        HeldCall<Q> held = new HeldCall<>();
        Context context = Context.current();
        boolean asked = strangers.ask(credential, caller, standing -> {
            switch (standing) {
                case GOOD -> held.start(() -> started(context, () -> start(call, headers, next, credential, caller)));
                case UNKNOWN -> refuseKey(call, caller, CallRefusal.unauthenticated());
                case EXPIRED -> refuseKey(call, caller, CallRefusal.expired());
                case DOUBTED, UNHEARD -> {
                    strangers.count(Strangers.StrangerRefusal.UNANSWERED);
                    CallFailures.close(call, CallRefusal.of(Code.UNAVAILABLE, UNANSWERED));
                }
            }
        });
        if (!asked) {
            caller.refused();
            strangers.count(Strangers.StrangerRefusal.BUSY);
            CallFailures.close(call, CallRefusal.exhausted(BUSY, RETRY));
        }
        return held;
    }

    private static <Q> ServerCall.Listener<Q> started(Context context, Supplier<ServerCall.Listener<Q>> start) {
        Context before = context.attach();
        try {
            return start.get();
        } finally {
            context.detach(before);
        }
    }

    private <Q> ServerCall.Listener<Q> refuseKey(ServerCall<Q, ?> call, CallerConnection caller, CallRefusal refusal) {
        return refuse(call, caller, Strangers.StrangerRefusal.UNKNOWN_KEY, refusal);
    }

    private <Q> ServerCall.Listener<Q> refuse(
            ServerCall<Q, ?> call, CallerConnection caller, Strangers.StrangerRefusal reason, CallRefusal refusal) {
        strangers.count(reason);
        CallFailures.close(call, refusal);
        caller.refused();
        return CallInput.deaf();
    }

    /** A call whose answer names the server's version and limits, also if it is only an error. */
    private final class Introduced<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private boolean introduced;

        Introduced(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            introduce(headers);
            super.sendHeaders(headers);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!introduced) {
                introduce(trailers);
            }
            super.close(status, trailers);
        }

        private void introduce(Metadata metadata) {
            introduced = true;
            metadata.put(ServerInfo.VERSION, version);
            metadata.put(ServerInfo.MAX_BLOCK_BYTES, Integer.toString(BlockHeader.MAX_BUFFER_BYTES));
            metadata.put(ServerInfo.MAX_PART_BYTES, Integer.toString(PartSizes.MAX_BYTES));
        }
    }
}
