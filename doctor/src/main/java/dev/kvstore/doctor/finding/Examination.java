package dev.kvstore.doctor.finding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Carries out checks, all at once, each in a virtual thread and within the deadline. For one thread. */
public final class Examination {
    private final Duration deadline;
    private final Set<DoctorFinding> findings = new LinkedHashSet<>();
    private final List<String> unseen = new ArrayList<>();
    private int checks;

    /** @param deadline the longest time of each check; one that takes longer is a finding */
    public Examination(Duration deadline) {
        this.deadline = deadline;
    }

    /** Carries out more checks, and waits for them until the deadline. */
    public void carryOut(List<Check> more) throws InterruptedException {
        checks += more.size();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            List<Future<CheckOutcome>> outcomes = threads.invokeAll(
                    more.stream()
                            .map(check -> (Callable<CheckOutcome>) check::look)
                            .toList(),
                    deadline.toMillis(),
                    TimeUnit.MILLISECONDS);
            for (int i = 0; i < more.size(); i++) {
                add(more.get(i).subject(), outcomes.get(i));
            }
        } finally {
            threads.shutdownNow(); // closing would wait for a check that does not end
        }
    }

    private void add(String subject, Future<CheckOutcome> outcome) throws InterruptedException {
        try {
            switch (outcome.get()) {
                case CheckOutcome.Sound() -> {}
                case CheckOutcome.Faulty(List<DoctorFinding> found) -> findings.addAll(found);
                case CheckOutcome.Unseen(String reason) -> unseen.add(subject + ": " + reason);
            }
        } catch (CancellationException late) {
            findings.add(new DoctorFinding(
                    FindingKind.NO_ANSWER, subject, "no answer within " + deadline.toMillis() + " ms"));
        } catch (ExecutionException e) {
            findings.add(new DoctorFinding(FindingKind.NO_ANSWER, subject, "the look failed: " + e.getCause()));
        }
    }

    /** Everything that was found so far, each once. */
    public List<DoctorFinding> findings() {
        return List.copyOf(findings);
    }

    /** The targets that could not be seen from here, for people. */
    public List<String> unseen() {
        return List.copyOf(unseen);
    }

    /** The number of checks so far. */
    public int checks() {
        return checks;
    }
}
