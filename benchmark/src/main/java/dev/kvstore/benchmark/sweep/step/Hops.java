package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a call goes, in milliseconds, with the names that the JSON has. All are means, which add up:
 * percentiles do not.
 *
 * @param meanMillis of the calls by their clients' clocks; the sum of the three others
 * @param wireAndClientMillis the remainder, which no clock has on its own: the client's part before and after, the way
 *     there and back, and waiting in between
 * @param serverMillis in the data plane, without calls to storage
 * @param storageMillis in calls to storage; includes the data plane's calls for its own files
 */
public record Hops(double meanMillis, double wireAndClientMillis, double serverMillis, double storageMillis) {
    /** The operations of storage that a call may wait for. */
    private static final Map<Timed, String[]> STORAGE = Map.of(
            Timed.LOOKUP, new String[] {"exists"},
            Timed.READ, new String[] {"get", "get_range"},
            Timed.WRITE, new String[] {"put_if_absent"});

    /** The name for people of a kind of call. */
    public static String name(String call) {
        return call.substring(0, 1).toUpperCase(Locale.ROOT) + call.substring(1);
    }

    /**
     * The hops of each kind of call that was made.
     *
     * @return none where the data planes do not show their times
     */
    public static Map<String, Hops> of(WindowFigures clients, @Nullable DataPlaneUse used) {
        Map<String, Hops> hops = new TreeMap<>();
        STORAGE.forEach((kind, operations) -> {
            String method = kind.name().toLowerCase(Locale.ROOT);
            double calls = used == null ? 0 : used.sum(DataPlaneUse.CALLS, method);
            double mean = clients.of(kind).meanMillis();
            if (used != null && calls > 0 && mean > 0) {
                double served = used.sum(DataPlaneUse.CALL_SECONDS, method) / calls * 1e3;
                double storage = used.sum(DataPlaneUse.STORAGE_SECONDS, operations) / calls * 1e3;
                hops.put(method, new Hops(mean, mean - served, served - storage, storage));
            }
        });
        return hops;
    }
}
