package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Changes accounts over REST, one at a time, while many watch. For one thread. */
final class WatchRun {
    private static final int CHANGES = 50;
    private static final int WARM_UP = 10;
    private static final int PER_CHANNEL = 50;
    private static final long PATIENCE_SECONDS = 10;

    // Longer than the pulse of the watches, so that changes fall anywhere between two.
    private static final int LONGEST_PAUSE_MILLIS = 1_200;

    private final StackControlPlane control;
    private final ManyAccounts many;
    private final int watchers;
    private final Consumer<String> progress;
    private final SplittableRandom random = new SplittableRandom(1);
    private final Latencies fromSending = new Latencies();
    private final Latencies fromAnswer = new Latencies();
    private final Latencies slowest = new Latencies();
    private long unheard;

    WatchRun(StackControlPlane control, ManyAccounts many, int watchers, Consumer<String> progress) {
        this.control = control;
        this.many = many;
        this.watchers = watchers;
        this.progress = progress;
    }

    WatchReport run() throws InterruptedException {
        int count = Math.ceilDiv(watchers, PER_CHANNEL);
        progress.accept(watchers + " watchers");
        try (AdminClient admin = control.admin();
                ControlChannels channels = new ControlChannels(control, count)) {
            Watchers all = Watchers.begin(channels, watchers);
            if (!all.awaitHeard(PATIENCE_SECONDS)) {
                throw new LaunchException("not all watchers were told anything within " + PATIENCE_SECONDS + " s");
            }
            for (int i = 0; i < WARM_UP; i++) {
                change(admin, all, i, false);
            }
            progress.accept(CHANGES + " changes");
            for (int i = WARM_UP; i < WARM_UP + CHANGES; i++) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
                change(admin, all, i, true);
            }
            return new WatchReport(
                    watchers,
                    count,
                    CHANGES,
                    fromSending.percentiles(),
                    fromAnswer.percentiles(),
                    slowest.percentiles(),
                    unheard);
        }
    }

    private void change(AdminClient admin, Watchers all, int number, boolean measured) throws InterruptedException {
        // One that nobody deleted, and not the one before.
        String account = many.name(number * ManyAccounts.TENANTS % many.count());
        Watchers.ExpectedChange change = all.expect(account);
        long sent = System.nanoTime();
        admin.send(RestRequest.put(
                        List.of("v1", "accounts", account, "limits"),
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("operations", 1 + number)
                                .put("bytesPerSecond", 0)))
                .accepted();
        long answered = System.nanoTime();
        List<Long> arrivals = change.await(PATIENCE_SECONDS);
        if (measured) {
            unheard += watchers - arrivals.size();
            for (long arrival : arrivals) {
                fromSending.add(arrival - sent);
                fromAnswer.add(arrival - answered);
            }
            arrivals.stream().max(Long::compare).ifPresent(last -> slowest.add(last - sent));
        }
    }
}
