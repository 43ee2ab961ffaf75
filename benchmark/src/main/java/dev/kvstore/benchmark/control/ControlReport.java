package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The findings, with the names that the JSON has. A part that was not measured is null.
 *
 * @param loadAverage of the machine before anything was started; below 0 where it does not tell
 */
record ControlReport(
        double loadAverage,
        Registrations.@Nullable RegistrationFigures registered,
        @Nullable List<ListTimes> pages,
        @Nullable ResolveReport resolve,
        @Nullable WatchReport watch,
        @Nullable OutageReport outage)
        implements BenchReport {
    ControlReport withOutage(OutageReport report) {
        return new ControlReport(loadAverage, registered, pages, resolve, watch, report);
    }

    /** The promises that did not hold, in a sentence each. */
    @JsonProperty
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        if (pages != null) {
            pages.stream()
                    .filter(listing -> listing.flatness() > ListTimes.FLAT)
                    .forEach(listing -> breaches.add(String.format(
                            Locale.ROOT,
                            "pages of %s (limit %d) take %.2f times as long at the end as at the beginning",
                            listing.list(),
                            listing.limit(),
                            listing.flatness())));
        }
        if (resolve != null) {
            breaches(resolve, breaches);
        }
        if (watch != null) {
            breaches(watch, breaches);
        }
        if (outage != null) {
            breaches(outage, breaches);
        }
        return List.copyOf(breaches);
    }

    private static void breaches(ResolveReport resolve, List<String> breaches) {
        ResolveReport.ResolveRound alone = resolve.rounds().getFirst();
        if (alone.server().p99Millis() >= ResolveReport.BOUND_MILLIS) {
            breaches.add(String.format(
                    Locale.ROOT,
                    "resolve takes %.2f ms in the control plane (p99, one at a time), not less than %.0f ms",
                    alone.server().p99Millis(),
                    ResolveReport.BOUND_MILLIS));
        }
        long wrong = resolve.rounds().stream()
                .mapToLong(ResolveReport.ResolveRound::wrong)
                .sum();
        if (wrong > 0) {
            breaches.add(String.format(Locale.ROOT, "%d resolves were answered wrongly", wrong));
        }
        ResolveReport.Cached cached = resolve.cached();
        if (cached != null && cached.questions() > cached.refreshes()) {
            breaches.add(
                    String.format(Locale.ROOT, "a data plane asked %d times about what it knew", cached.questions()));
        }
    }

    private static void breaches(WatchReport watch, List<String> breaches) {
        if (watch.unheard() > 0) {
            breaches.add(
                    String.format(Locale.ROOT, "changes were not heard of within 10 s, %d of them", watch.unheard()));
        }
        if (watch.slowest().maxMillis() >= WatchReport.BOUND_MILLIS) {
            breaches.add(String.format(
                    Locale.ROOT,
                    "the last watcher heard of a change after %.0f ms, not within %.0f ms",
                    watch.slowest().maxMillis(),
                    WatchReport.BOUND_MILLIS));
        }
    }

    private static void breaches(OutageReport outage, List<String> breaches) {
        if (outage.failed() > 0) {
            breaches.add(String.format(Locale.ROOT, "%d requests failed", outage.failed()));
        }
        if (outage.requestsWhileGone() == 0) {
            breaches.add("nothing was asked while the control plane was gone");
        }
        if (outage.newKeyMillis() >= OutageReport.KEY_BOUND_MILLIS) {
            breaches.add(String.format(Locale.ROOT, "a new key was not taken for %.0f ms", outage.newKeyMillis()));
        }
        if (outage.revokedMillis() >= OutageReport.KEY_BOUND_MILLIS) {
            breaches.add(String.format(Locale.ROOT, "a revoked key was taken for %.0f ms", outage.revokedMillis()));
        }
    }

    @Override
    public boolean holds() {
        return breaches().isEmpty();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        if (registered != null) {
            text.append(registered.text());
        }
        if (pages != null) {
            text.append(ListTimes.header());
            pages.forEach(listing -> text.append(listing.text()));
        }
        if (resolve != null) {
            text.append(resolve.text());
        }
        if (watch != null) {
            text.append(watch.text());
        }
        if (outage != null) {
            text.append(outage.text());
        }
        List<String> breaches = breaches();
        breaches.forEach(breach -> text.append("FAILED: ").append(breach).append(System.lineSeparator()));
        if (breaches.isEmpty()) {
            text.append("Every bound was held.").append(System.lineSeparator());
        }
        return text.toString();
    }

    @Override
    public ReportPage page(String command) {
        return ControlPage.of(this);
    }
}
