package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.admin.RestResponse;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads lists of accounts page by page over REST, one request at a time. For one thread. */
final class PagesRun {
    // A list of fewer pages is read again and again, so that one can speak of a median.
    private static final int LEAST_PAGES = 300;

    private static final String DEFAULT_LIMIT = "100";
    private static final String LARGEST_LIMIT = "1000";

    private final StackControlPlane control;
    private final ManyAccounts many;
    private final Consumer<String> progress;

    PagesRun(StackControlPlane control, ManyAccounts many, Consumer<String> progress) {
        this.control = control;
        this.many = many;
        this.progress = progress;
    }

    List<ListTimes> run() throws InterruptedException {
        try (AdminClient admin = control.admin()) {
            progress.accept("warming up lists");
            read(admin, Map.of("limit", DEFAULT_LIMIT));
            List<ListTimes> all = new ArrayList<>();
            all.add(list(admin, "all", Map.of("limit", DEFAULT_LIMIT), _ -> true));
            all.add(list(admin, "all", Map.of("limit", LARGEST_LIMIT), _ -> true));
            all.add(filtered(
                    admin, "tenant", "bench-03", i -> ManyAccounts.tenant(i).equals("bench-03")));
            all.add(filtered(
                    admin,
                    "tenant",
                    ManyAccounts.FEW,
                    i -> ManyAccounts.tenant(i).equals(ManyAccounts.FEW)));
            for (String region : ManyAccounts.REGIONS) {
                all.add(filtered(
                        admin, "region", region, i -> ManyAccounts.region(i).equals(region)));
            }
            all.add(filtered(admin, "state", "active", i -> !many.isDeleted(i)));
            all.add(filtered(admin, "state", "deleted", many::isDeleted));
            return List.copyOf(all);
        }
    }

    private ListTimes filtered(AdminClient admin, String filter, String value, IntPredicate theirs)
            throws InterruptedException {
        return list(admin, filter + "=" + value, Map.of("limit", DEFAULT_LIMIT, filter, value), theirs);
    }

    /** @param theirs which accounts are to be on it */
    private ListTimes list(AdminClient admin, String name, Map<String, String> query, IntPredicate theirs)
            throws InterruptedException {
        int expected = (int) IntStream.range(0, many.count()).filter(theirs).count();
        List<long[]> rounds = new ArrayList<>();
        int pages = 0;
        while (pages < LEAST_PAGES) {
            ListReading reading = read(admin, query);
            if (reading.items() != expected) {
                throw new IllegalStateException("the list " + name + " has " + reading.items() + " of the benchmark's "
                        + expected + " accounts");
            }
            rounds.add(reading.nanos());
            pages += reading.nanos().length;
        }
        ListTimes listing =
                ListTimes.of(name, Integer.parseInt(query.getOrDefault("limit", DEFAULT_LIMIT)), expected, rounds);
        progress.accept("listed " + listing.text().strip());
        return listing;
    }

    /**
     * A list, once.
     *
     * @param items of the benchmark's own accounts
     * @param nanos of each page
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record ListReading(int items, long[] nanos) {}

    private static ListReading read(AdminClient admin, Map<String, String> query) throws InterruptedException {
        RestRequest call = RestRequest.get(List.of("v1", "accounts"));
        for (Map.Entry<String, String> parameter : query.entrySet()) {
            call = call.with(parameter.getKey(), parameter.getValue());
        }
        List<Long> nanos = new ArrayList<>();
        int items = 0;
        @Nullable String cursor = null;
        do {
            RestRequest page = cursor == null ? call : call.with("cursor", cursor);
            long start = System.nanoTime();
            RestResponse answer = admin.send(page).accepted();
            nanos.add(System.nanoTime() - start);
            for (JsonNode item : answer.body().path("items")) {
                items += item.path("resourceName").asText().startsWith("bench-") ? 1 : 0;
            }
            cursor = answer.body().path("next").asText(null);
        } while (cursor != null);
        return new ListReading(items, nanos.stream().mapToLong(Long::longValue).toArray());
    }
}
