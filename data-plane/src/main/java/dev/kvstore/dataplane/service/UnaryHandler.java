package dev.kvstore.dataplane.service;

import com.google.protobuf.MessageLite;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.memory.SharedBudget;
import dev.kvstore.listener.CoarseTimer;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.netty.util.Timeout;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves a method of one request and one answer: on the transport's thread where the answer is at hand, else on a
 * virtual thread of the call's own. Waking a thread costs more than most answers.
 */
final class UnaryHandler<Q extends MessageLite, R> implements ServerCallHandler<Received<Q>, R> {
    /** The work of a call. */
    @FunctionalInterface
    interface UnaryWork<Q, R> {
        /**
         * Answers a request.
         *
         * @param place where the call is among all, to be told whose account it is for
         * @param done gives the request's network memory back, as soon as nothing of it is needed; may be left to the
         *     handler
         */
        UnaryResponse<R> answer(Credential credential, Q request, CallAdmission.CallSlot place, Runnable done)
                throws Exception;

        /**
         * Answers on the transport's thread: null, without having done anything, if that would have to wait or take
         * long.
         */
        default @Nullable UnaryResponse<R> answerAtOnce(Credential credential, Q request, CallAdmission.CallSlot place)
                throws CallRefusal {
            return null;
        }
    }

    /**
     * An answer and what it keeps in memory.
     *
     * @param message makes it, once there is room for it; may look at the request
     * @param bytes of memory it takes until the client has taken it; 0 if they are few
     * @param sent gives back what the message is a view of, once the transport has it
     */
    record UnaryResponse<R>(Supplier<R> message, long bytes, Runnable sent) {
        static <R> UnaryResponse<R> of(R message) {
            return new UnaryResponse<>(() -> message, 0, () -> {});
        }
    }

    private final UnaryWork<Q, R> work;
    private final SharedBudget sending;
    private final ServiceLimits limits;
    private final CallAdmission operations;
    private final Executor executor;

    UnaryHandler(
            UnaryWork<Q, R> work,
            CallAdmission operations,
            SharedBudget sending,
            ServiceLimits limits,
            Executor executor) {
        this.work = work;
        this.operations = operations;
        this.sending = sending;
        this.limits = limits;
        this.executor = executor;
    }

    @Override
    public ServerCall.Listener<Received<Q>> startCall(ServerCall<Received<Q>, R> call, Metadata headers) {
        CallInput<Q> inbox = CallInput.open(call, operations, executor);
        if (inbox == null) {
            return CallInput.deaf();
        }
        Credential credential = Authentication.credential();
        StalledClientReset stall = StalledClientReset.ofCurrentCall();
        inbox.serveOne(() -> isAnswered(call, inbox, credential, stall), () -> serve(call, inbox, credential, stall));
        return inbox;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    private boolean isAnswered(
            ServerCall<Received<Q>, R> call, CallInput<Q> inbox, Credential credential, StalledClientReset stall) {
        try {
            Received<Q> request = inbox.peek();
            if (request == null || request.flaw() != null) {
                return false;
            }
            UnaryResponse<R> answer = work.answerAtOnce(credential, request.message(), inbox.place());
            if (answer == null) {
                return false;
            }
            if (answer.bytes() > 0 && !sending.tryTake(inbox.place().party(), answer.bytes())) {
                answer.sent().run();
                return false;
            }
            sendAtOnce(call, inbox, answer, stall);
        } catch (Exception | Error e) {
            inbox.answered();
            CallFailures.close(call, CallFailures.refusal(e, "the resource"));
        }
        return true;
    }

    private void sendAtOnce(
            ServerCall<Received<Q>, R> call, CallInput<Q> inbox, UnaryResponse<R> answer, StalledClientReset stall)
            throws CallRefusal {
        if (answer.bytes() > 0) {
            Timeout cut = CoarseTimer.in(limits.stall(), () -> stall.cancel(limits.stall()));
            inbox.whenClosed(() -> {
                cut.cancel();
                sending.giveBack(inbox.place().party(), answer.bytes());
            });
        }
        try {
            R message = answer.message().get();
            Received<Q> request = inbox.poll();
            if (request != null) {
                inbox.done(request);
            }
            call.sendHeaders(new Metadata());
            call.sendMessage(message);
        } finally {
            answer.sent().run();
        }
        inbox.answered();
        call.close(Status.OK, new Metadata());
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    private void serve(
            ServerCall<Received<Q>, R> call, CallInput<Q> inbox, Credential credential, StalledClientReset stall) {
        try {
            answer(call, inbox, credential, stall);
        } catch (Exception | Error e) {
            inbox.answered();
            if (!inbox.isCancelled()) {
                CallFailures.close(call, CallFailures.refusal(e, "the resource"));
            }
        }
    }

    private void answer(
            ServerCall<Received<Q>, R> call, CallInput<Q> inbox, Credential credential, StalledClientReset stall)
            throws Exception {
        Received<Q> request = receive(inbox);
        if (request == null) {
            return;
        }
        AtomicBoolean once = new AtomicBoolean();
        Runnable done = () -> {
            if (!once.getAndSet(true)) {
                inbox.done(request);
            }
        };
        try {
            String flaw = request.flaw();
            if (flaw != null) {
                throw CallRefusal.invalid("request", flaw);
            }
            send(call, inbox, work.answer(credential, request.message(), inbox.place(), done), done, stall);
        } finally {
            done.run();
        }
    }

    /** The request, or null if the client has left. */
    private @Nullable Received<Q> receive(CallInput<Q> inbox) throws CallRefusal, InterruptedException {
        while (!inbox.hasRequest()) {
            if (inbox.isCancelled()) {
                return null;
            }
            CallRefusal closing = inbox.closing();
            if (closing != null) {
                throw closing;
            }
            if (inbox.hasMoreThanRequest()) {
                throw CallRefusal.invalid("request", "more than one message arrived");
            }
            if (inbox.isHalfClosed()) {
                throw CallRefusal.invalid("request", "no message arrived");
            }
            if (!inbox.awaitClient(limits.stall())) {
                throw CallRefusal.of(Code.DEADLINE_EXCEEDED, "the request did not arrive in " + limits.stall());
            }
        }
        return inbox.poll();
    }

    private void send(
            ServerCall<Received<Q>, R> call,
            CallInput<Q> inbox,
            UnaryResponse<R> answer,
            Runnable done,
            StalledClientReset stall)
            throws CallRefusal, InterruptedException {
        try {
            if (answer.bytes() > 0) {
                if (!sending.take(inbox.place().party(), answer.bytes(), limits.patience())) {
                    throw operations.refusal(CallAdmission.AdmissionRefusal.UNARY_SEND);
                }
                inbox.whenClosed(() -> sending.giveBack(inbox.place().party(), answer.bytes()));
            }
            R message = answer.message().get();
            done.run();
            call.sendHeaders(new Metadata());
            call.sendMessage(message);
        } finally {
            answer.sent().run();
        }
        inbox.answered();
        call.close(Status.OK, new Metadata());
        if (answer.bytes() > 0) {
            stall.cancelUnlessClosed(inbox, limits.stall());
        }
    }
}
