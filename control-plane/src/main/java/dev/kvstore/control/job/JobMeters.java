package dev.kvstore.control.job;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.metrics.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Counts the jobs of a kind in the database, so that every control plane reports the same. One thread counts; any thread
 * reads the meters.
 */
public final class JobMeters {
    private final DataSource database;
    private final String question;
    private final List<? extends Enum<?>> open;
    private final Metric count;
    private final MultiGauge rows;
    private volatile double oldestSeconds;

    /**
     * @param question selects {@code state}, {@code count} and {@code seconds}, the age of the oldest job, by state
     * @param open the states of jobs that are not over
     */
    public JobMeters(
            DataSource database,
            MeterRegistry registry,
            Metric count,
            Metric age,
            String question,
            List<? extends Enum<?>> open) {
        this.database = database;
        this.question = question;
        this.open = List.copyOf(open);
        this.count = count;
        this.rows = count.rows(registry);
        age.gauge(registry, this, of -> of.oldestSeconds);
    }

    /** Counts the jobs again. */
    public void count() throws SQLException {
        Map<String, Long> counts = new HashMap<>();
        double[] oldest = {0};
        Sql.on(database, question).each(row -> {
            counts.put(row.getString("state"), row.getLong("count"));
            oldest[0] = Math.max(oldest[0], row.getDouble("seconds"));
        });
        rows.register(
                open.stream()
                        .map(Enum::name)
                        .<MultiGauge.Row<?>>map(state -> MultiGauge.Row.of(
                                count.tags(state.toLowerCase(Locale.ROOT)), counts.getOrDefault(state, 0L)))
                        .toList(),
                true);
        oldestSeconds = oldest[0];
    }
}
