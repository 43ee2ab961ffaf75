package dev.kvstore.benchmark.control;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Accounts by number, from 0: in the order of their names, and what belongs to one tenant, region or state is spread
 * over all of them. Immutable.
 *
 * @param count how many
 */
record ManyAccounts(int count) {
    /**
     * How many of them are registered over REST, which tells how fast that is; each is the model of those behind it.
     */
    static final int OVER_REST = 1_000;

    static final int TENANTS = 20;

    /** A tenant that owns one in ten thousand. */
    static final String FEW = "bench-few";

    /** The home of all but one in a hundred. */
    static final String REGION = "bench-near";

    /** The region of that account. */
    static final String RARE_REGION = "bench-far";

    static final List<String> REGIONS = List.of(REGION, RARE_REGION);

    /** The tenants among whom all other accounts are spread alike. */
    static List<String> tenants() {
        return IntStream.range(0, TENANTS)
                .mapToObj(i -> numbered("bench-%02d", i))
                .toList();
    }

    private static String numbered(String format, int number) {
        return String.format(Locale.ROOT, format, number);
    }

    String name(int account) {
        return numbered("bench-%07d", account);
    }

    /** The container of an account's storage. */
    static String container(int account) {
        return numbered("blocks-%07d", account);
    }

    static String tenant(int account) {
        return account % 10_000 == 5 ? FEW : numbered("bench-%02d", account % TENANTS);
    }

    static String region(int account) {
        return account % 100 == 7 ? RARE_REGION : REGION;
    }

    /** One in a hundred is deleted, but none of those registered over REST. */
    boolean isDeleted(int account) {
        return account % 100 == 13 && !isOverRest(account);
    }

    boolean isOverRest(int account) {
        return account % step() == 0;
    }

    private int step() {
        return Math.max(1, count / OVER_REST);
    }

    /** The accounts registered over REST, {@link #OVER_REST} or a few more. */
    IntStream overRest() {
        return IntStream.range(0, count).filter(this::isOverRest);
    }

    /** The one registered over REST that another is made after. */
    int model(int account) {
        return account - account % step();
    }
}
