package dev.kvstore.dataplane.jobs;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.AbstractStub;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls by which a job claims work and reports it to the control plane, which knows this process by its lease. The
 * first failure is logged, further ones only after a success. Calls block for 4 s at most; thread-safe.
 *
 * @param <S> the stub of the service that is called
 */
public final class JobCalls<S extends AbstractStub<S>> {
    private static final Duration DEADLINE = Duration.ofSeconds(4);
    private static final Logger LOG = System.getLogger(JobCalls.class.getName());

    /** A call that names the lease of this process. */
    @FunctionalInterface
    public interface JobCall<S, T> {
        /** Makes the call. */
        Future<T> make(S stub, String lease);
    }

    /** The control plane's answer to a call. */
    public sealed interface JobReply<T> {
        /** The control plane heard the call. */
        record Heard<T>(T answer) implements JobReply<T> {}

        /** No control plane heard the call, or none knows this process at the moment: the call may be repeated. */
        record Unheard<T>() implements JobReply<T> {}

        /** The control plane will never accept this call. */
        record Flawed<T>() implements JobReply<T> {}
    }

    private final ControlPlaneReplicas plane;
    private final Supplier<String> lease;
    private final Function<Channel, S> stubs;
    private final String subject;
    private volatile boolean away;

    /**
     * The calls of one kind of job.
     *
     * @param lease the id of this process's lease; empty while there is none
     * @param stubs of the service that is called
     * @param subject of the calls, for the log
     */
    public JobCalls(ControlPlaneReplicas plane, Supplier<String> lease, Function<Channel, S> stubs, String subject) {
        this.plane = plane;
        this.lease = lease;
        this.stubs = stubs;
        this.subject = subject;
    }

    /** Makes a call, unless this process has no lease. */
    public <T> JobReply<T> make(JobCall<S, T> call) throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return new JobReply.Unheard<>();
        }
        try {
            T answer = plane.ask(stubs, stub -> call.make(stub, mine), DEADLINE);
            away = false;
            return new JobReply.Heard<>(answer);
        } catch (StatusException e) {
            return failed(e.getStatus());
        }
    }

    /** A lease that is over comes again; a flaw does not mend itself. */
    private <T> JobReply<T> failed(Status why) {
        boolean flaw = why.getCode() == Status.Code.INVALID_ARGUMENT || why.getCode() == Status.Code.UNIMPLEMENTED;
        if (!away) {
            LOG.log(
                    flaw ? Level.ERROR : Level.WARNING,
                    "the control plane was not told of {0}: {1}: {2}",
                    subject,
                    why.getCode(),
                    why.getDescription());
        }
        away = true;
        return flaw ? new JobReply.Flawed<>() : new JobReply.Unheard<>();
    }

    /** Repeats a call until it is heard or refused, or the time is over. */
    public <T> JobReply<T> insist(JobCall<S, T> call, Duration pause, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        JobReply<T> reply = make(call);
        while (reply instanceof JobReply.Unheard<T> && System.nanoTime() < end) {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            reply = make(call);
        }
        return reply;
    }
}
