package dev.kvstore.dataplane.call;

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
public final class UnaryHandler<Q extends MessageLite, R> implements ServerCallHandler<Received<Q>, R> {
    /** The work of a call. */
    @FunctionalInterface
    public interface UnaryWork<Q, R> {
        /**
         * Answers a request.
         *
         * @param slot the call's slot, which is told the account that the call is for
         * @param done gives the request's network memory back, as soon as nothing of it is needed; may be left to the
         *     handler
         */
        UnaryResponse<R> answer(Credential credential, Q request, CallAdmission.CallSlot slot, Runnable done)
                throws Exception;

        /**
         * Answers on the transport's thread. Returns null, without having done anything, if the answer would have to
         * wait or take long.
         */
        default @Nullable UnaryResponse<R> answerAtOnce(Credential credential, Q request, CallAdmission.CallSlot slot)
                throws CallRefusal {
            return null;
        }
    }

    /**
     * An answer and the memory that it keeps.
     *
     * @param message makes it, once there is room for it; may look at the request
     * @param bytes of memory it takes until the client has taken it; 0 if they are few
     * @param sent gives back the memory of which the message is a view, once the transport has it
     */
    public record UnaryResponse<R>(Supplier<R> message, long bytes, Runnable sent) {
        public static <R> UnaryResponse<R> of(R message) {
            return new UnaryResponse<>(() -> message, 0, () -> {});
        }
    }

    private final UnaryWork<Q, R> work;
    private final SharedBudget sendingBudget;
    private final ServiceLimits limits;
    private final CallAdmission admission;
    private final Executor executor;

    public UnaryHandler(
            UnaryWork<Q, R> work,
            CallAdmission admission,
            SharedBudget sendingBudget,
            ServiceLimits limits,
            Executor executor) {
        this.work = work;
        this.admission = admission;
        this.sendingBudget = sendingBudget;
        this.limits = limits;
        this.executor = executor;
    }

    @Override
    public ServerCall.Listener<Received<Q>> startCall(ServerCall<Received<Q>, R> call, Metadata headers) {
        CallInput<Q> input = CallInput.open(call, admission, executor);
        if (input == null) {
            return CallInput.deaf();
        }
        Credential credential = Authentication.credential();
        StalledClientReset reset = StalledClientReset.ofCurrentCall();
        input.serveOne(() -> isAnswered(call, input, credential, reset), () -> serve(call, input, credential, reset));
        return input;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    private boolean isAnswered(
            ServerCall<Received<Q>, R> call, CallInput<Q> input, Credential credential, StalledClientReset reset) {
        try {
            Received<Q> request = input.peek();
            if (request == null || request.flaw() != null) {
                return false;
            }
            UnaryResponse<R> response = work.answerAtOnce(credential, request.message(), input.slot());
            if (response == null) {
                return false;
            }
            if (response.bytes() > 0 && !sendingBudget.tryTake(input.slot().party(), response.bytes())) {
                response.sent().run();
                return false;
            }
            sendAtOnce(call, input, response, reset);
        } catch (Exception | Error e) {
            input.answered();
            CallFailures.close(call, CallFailures.refusal(e, "the resource"));
        }
        return true;
    }

    private void sendAtOnce(
            ServerCall<Received<Q>, R> call, CallInput<Q> input, UnaryResponse<R> response, StalledClientReset reset)
            throws CallRefusal {
        if (response.bytes() > 0) {
            Timeout cut = CoarseTimer.in(limits.stall(), () -> reset.cancel(limits.stall()));
            input.whenClosed(() -> {
                cut.cancel();
                sendingBudget.giveBack(input.slot().party(), response.bytes());
            });
        }
        try {
            R message = response.message().get();
            Received<Q> request = input.poll();
            if (request != null) {
                input.done(request);
            }
            call.sendHeaders(new Metadata());
            call.sendMessage(message);
        } finally {
            response.sent().run();
        }
        input.answered();
        call.close(Status.OK, new Metadata());
    }

    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    private void serve(
            ServerCall<Received<Q>, R> call, CallInput<Q> input, Credential credential, StalledClientReset reset) {
        try {
            answer(call, input, credential, reset);
        } catch (Exception | Error e) {
            input.answered();
            if (!input.isCancelled()) {
                CallFailures.close(call, CallFailures.refusal(e, "the resource"));
            }
        }
    }

    private void answer(
            ServerCall<Received<Q>, R> call, CallInput<Q> input, Credential credential, StalledClientReset reset)
            throws Exception {
        Received<Q> request = receive(input);
        if (request == null) {
            return;
        }
        AtomicBoolean once = new AtomicBoolean();
        Runnable done = () -> {
            if (!once.getAndSet(true)) {
                input.done(request);
            }
        };
        try {
            String flaw = request.flaw();
            if (flaw != null) {
                throw CallRefusal.invalid("request", flaw);
            }
            send(call, input, work.answer(credential, request.message(), input.slot(), done), done, reset);
        } finally {
            done.run();
        }
    }

    /** The request, or null if the client has left. */
    private @Nullable Received<Q> receive(CallInput<Q> input) throws CallRefusal, InterruptedException {
        while (!input.hasRequest()) {
            if (input.isCancelled()) {
                return null;
            }
            CallRefusal closingRefusal = input.closing();
            if (closingRefusal != null) {
                throw closingRefusal;
            }
            if (input.hasMoreThanRequest()) {
                throw CallRefusal.invalid("request", "more than one message arrived");
            }
            if (input.isHalfClosed()) {
                throw CallRefusal.invalid("request", "no message arrived");
            }
            if (!input.awaitClient(limits.stall())) {
                throw CallRefusal.of(Code.DEADLINE_EXCEEDED, "the request did not arrive in " + limits.stall());
            }
        }
        return input.poll();
    }

    private void send(
            ServerCall<Received<Q>, R> call,
            CallInput<Q> input,
            UnaryResponse<R> response,
            Runnable done,
            StalledClientReset reset)
            throws CallRefusal, InterruptedException {
        try {
            if (response.bytes() > 0) {
                if (!sendingBudget.take(input.slot().party(), response.bytes(), limits.patience())) {
                    throw admission.refusal(CallAdmission.AdmissionRefusal.UNARY_SEND);
                }
                input.whenClosed(() -> sendingBudget.giveBack(input.slot().party(), response.bytes()));
            }
            R message = response.message().get();
            done.run();
            call.sendHeaders(new Metadata());
            call.sendMessage(message);
        } finally {
            response.sent().run();
        }
        input.answered();
        call.close(Status.OK, new Metadata());
        if (response.bytes() > 0) {
            reset.cancelUnlessClosed(input, limits.stall());
        }
    }
}
