package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.protocol.control.v1.Budget;
import dev.kvstore.protocol.control.v1.ClaimRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportListedResponse;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Makes the calls about warming to the control plane, and counts their outcomes. Calls block; thread-safe. */
final class Reporter {
    private static final Duration DEADLINE = Duration.ofSeconds(4);
    private static final Logger LOG = System.getLogger(Reporter.class.getName());

    /** The control plane's answer to a report. */
    sealed interface ReportReply {
        record GoOn(Budget budget) implements ReportReply {}

        /** The claim is over. */
        record Over() implements ReportReply {}

        /** No control plane heard the report, or none knows this process at the moment: it must be repeated. */
        record Unheard() implements ReportReply {}
    }

    private final ControlPlaneReplicas plane;
    private final Supplier<String> lease;
    private final LongAdder copied = new LongAdder();
    private final LongAdder copiedBytes = new LongAdder();
    private final LongAdder present = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile boolean away;

    /** @param lease by which the control plane knows this process; empty while there is none */
    Reporter(ControlPlaneReplicas plane, Supplier<String> lease) {
        this.plane = plane;
        this.lease = lease;
    }

    /** Claims a task of another warming than these; empty if there is none. */
    Optional<Task> claim(Collection<String> except) throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return Optional.empty();
        }
        ClaimRequest request =
                ClaimRequest.newBuilder().setLease(mine).addAllWarmings(except).build();
        try {
            var answer = plane.ask(WarmingServiceGrpc::newFutureStub, stub -> stub.claim(request), DEADLINE);
            away = false;
            return answer.hasTask() ? Optional.of(answer.getTask()) : Optional.empty();
        } catch (StatusException e) {
            unheard(e);
            return Optional.empty();
        }
    }

    ReportReply copied(ReportCopiedRequest.Builder report) throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return new ReportReply.Unheard();
        }
        ReportCopiedRequest request = report.setLease(mine).build();
        try {
            ReportCopiedResponse answer =
                    plane.ask(WarmingServiceGrpc::newFutureStub, stub -> stub.reportCopied(request), DEADLINE);
            away = false;
            return answer.getOver() ? new ReportReply.Over() : new ReportReply.GoOn(answer.getBudget());
        } catch (StatusException e) {
            return unheard(e);
        }
    }

    ReportReply listed(ReportListedRequest.Builder report) throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return new ReportReply.Unheard();
        }
        ReportListedRequest request = report.setLease(mine).build();
        try {
            ReportListedResponse answer =
                    plane.ask(WarmingServiceGrpc::newFutureStub, stub -> stub.reportListed(request), DEADLINE);
            away = false;
            return answer.getOver() ? new ReportReply.Over() : new ReportReply.GoOn(answer.getBudget());
        } catch (StatusException e) {
            return unheard(e);
        }
    }

    /** Logs a failure once, until a report succeeds. A lease that is over comes again; a flaw does not mend itself. */
    private ReportReply unheard(StatusException e) {
        Status why = e.getStatus();
        boolean flaw = why.getCode() == Status.Code.INVALID_ARGUMENT || why.getCode() == Status.Code.UNIMPLEMENTED;
        if (!away) {
            LOG.log(
                    flaw ? Level.ERROR : Level.WARNING,
                    "the control plane was not told of warming: {0}: {1}",
                    why.getCode(),
                    why.getDescription());
        }
        away = true;
        return flaw ? new ReportReply.Over() : new ReportReply.Unheard();
    }

    void unexpected(Task task, Throwable e) {
        LOG.log(Level.ERROR, "warming " + task.getWarming() + " of " + task.getResourceName() + " failed here", e);
    }

    void count(CopyOutcome outcome) {
        switch (outcome) {
            case CopyOutcome.Copied(int bytes) -> {
                copied.increment();
                copiedBytes.add(bytes);
            }
            case CopyOutcome.AlreadyThere _ -> present.increment();
            case CopyOutcome.CopyFailed _ -> failed.increment();
        }
    }

    long copied() {
        return copied.sum();
    }

    long copiedBytes() {
        return copiedBytes.sum();
    }

    long present() {
        return present.sum();
    }

    long failed() {
        return failed.sum();
    }
}
