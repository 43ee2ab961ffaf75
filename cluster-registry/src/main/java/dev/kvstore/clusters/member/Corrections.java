package dev.kvstore.clusters.member;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Corrects implausible figures of a data plane, and collects the reasons. An implausible figure is not a reason to
 * refuse the data plane. Not thread-safe.
 */
public final class Corrections {
    /** The error of a clock from which on it is reported; smaller differences may come from networks and pauses. */
    static final Duration SKEW = Duration.ofSeconds(5);

    private final List<String> reasons = new ArrayList<>();

    /**
     * A number from 0 to a bound. A larger one, or a negative one (too large for its type), is replaced by the usual
     * value.
     */
    public long upTo(String field, long said, long bound, long instead) {
        if (said >= 0 && said <= bound) {
            return said;
        }
        told(field, Long.toUnsignedString(said), "more than " + bound, Long.toString(instead));
        return instead;
    }

    /** A number from 0 to a bound. Any other is replaced by the usual value. */
    public int upTo(String field, int said, int bound, int instead) {
        return (int) upTo(field, Integer.toUnsignedLong(said), bound, instead);
    }

    /** A number from 1 to a bound. Any other number is replaced by the usual value. */
    public int oneTo(String field, int said, int bound, int instead) {
        if (said == 0) {
            told(field, "0", "less than 1", Integer.toString(instead));
            return instead;
        }
        return upTo(field, said, bound, instead);
    }

    /** A number from 0 to a bound. A larger one is replaced by the bound, and one that is not a number by 0. */
    public double within(String field, double said, double bound) {
        if (said >= 0 && said <= bound) {
            return said;
        }
        double instead = said > bound ? bound : 0;
        told(
                field,
                Double.toString(said),
                Double.isNaN(said) ? "no number" : said < 0 ? "less than 0" : "more than " + bound,
                Double.toString(instead));
        return instead;
    }

    /** A duration from 0 to a bound. Any other is replaced by null. */
    public @Nullable Duration within(String field, Duration said, Duration bound) {
        if (!said.isNegative() && said.compareTo(bound) <= 0) {
            return said;
        }
        told(field, said.toString(), said.isNegative() ? "less than 0" : "more than " + bound, "none");
        return null;
    }

    /** Checks the data plane's clock. */
    public void clock(Instant said, Instant now) {
        Duration ahead = Duration.between(now, said);
        if (ahead.abs().compareTo(SKEW) > 0) {
            reasons.add("clock: it is " + ahead.abs().toSeconds() + " s " + (ahead.isNegative() ? "behind" : "ahead of")
                    + " the database's; no lease depends on it, but certificates and logs do");
        }
    }

    private void told(String field, String said, String why, String instead) {
        reasons.add(field + ": " + said + " is " + why + "; taken for " + instead);
    }

    /** The reasons, in the order of the checks; empty if no figure was corrected. */
    public List<String> reasons() {
        return List.copyOf(reasons);
    }
}
