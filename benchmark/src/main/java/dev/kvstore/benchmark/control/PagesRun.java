package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.rest.RestResponse;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads lists of accounts page by page over REST, one request at a time. For one thread. */
record PagesRun(LocalStack stack, ManyAccounts many, Consumer<String> progress) {
    // A list of fewer pages is read again and again, so that one can speak of a median.
    private static final int LEAST_PAGES = 300;

    private static final int DEFAULT_LIMIT = 100;
    private static final int LARGEST_LIMIT = 1_000;

    List<ListTimes> run() throws InterruptedException {
        String some = ManyAccounts.tenants().get(3);
        String few = ManyAccounts.FEW;
        try (AdminClient admin = Objects.requireNonNull(stack.controlPlane()).admin()) {
            progress.accept("warming up lists");
            var _ = read(admin, request("all", DEFAULT_LIMIT));
            List<ListTimes> all = new ArrayList<>();
            all.add(list(admin, "all", DEFAULT_LIMIT, _ -> true));
            all.add(list(admin, "all", LARGEST_LIMIT, _ -> true));
            for (String tenant : List.of(some, few)) {
                all.add(list(
                        admin,
                        "tenant=" + tenant,
                        DEFAULT_LIMIT,
                        i -> ManyAccounts.tenant(i).equals(tenant)));
            }
            for (String region : ManyAccounts.REGIONS) {
                all.add(list(
                        admin,
                        "region=" + region,
                        DEFAULT_LIMIT,
                        i -> ManyAccounts.region(i).equals(region)));
            }
            all.add(list(admin, "state=active", DEFAULT_LIMIT, i -> !many.isDeleted(i)));
            all.add(list(admin, "state=deleted", DEFAULT_LIMIT, many::isDeleted));
            return List.copyOf(all);
        }
    }

    /**
     * Reads a list often enough.
     *
     * @param name a filter, or {@code all}
     * @param theirs which accounts are to be on it
     */
    private ListTimes list(AdminClient admin, String name, int limit, IntPredicate theirs) throws InterruptedException {
        progress.accept("listing " + name + ", " + limit + " a page");
        int expected = (int) IntStream.range(0, many.count()).filter(theirs).count();
        List<long[]> rounds = new ArrayList<>();
        for (int pages = 0; pages < LEAST_PAGES; pages += rounds.getLast().length) {
            ListReading reading = read(admin, request(name, limit));
            if (reading.items() != expected) {
                throw new IllegalStateException("the list " + name + " has " + reading.items() + " of the benchmark's "
                        + expected + " accounts");
            }
            rounds.add(reading.nanos());
        }
        return ListTimes.of(name, limit, expected, rounds);
    }

    private static RestRequest request(String name, int limit) {
        RestRequest all = RestRequest.get(List.of("v1", "accounts")).with("limit", Integer.toString(limit));
        int equals = name.indexOf('=');
        return equals < 0 ? all : all.with(name.substring(0, equals), name.substring(equals + 1));
    }

    /**
     * A list, once.
     *
     * @param items of the benchmark's own accounts
     * @param nanos of each page
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record ListReading(int items, long[] nanos) {}

    private static ListReading read(AdminClient admin, RestRequest list) throws InterruptedException {
        List<Long> nanos = new ArrayList<>();
        int items = 0;
        @Nullable String cursor = null;
        do {
            RestRequest page = cursor == null ? list : list.with("cursor", cursor);
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
