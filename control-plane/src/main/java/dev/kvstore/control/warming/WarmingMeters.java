package dev.kvstore.control.warming;

import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Counts the warmings of the database, so that every control plane reports the same. One thread counts; any thread
 * reads the meters.
 */
@Singleton
final class WarmingMeters {
    private final DataSource database;
    private final MultiGauge warmings;
    private volatile double lagSeconds;

    WarmingMeters(DataSource database, MeterRegistry registry) {
        this.database = database;
        this.warmings = ControlPlaneMetrics.WARMINGS.rows(registry);
        ControlPlaneMetrics.WARMING_LAG.gauge(registry, this, of -> of.lagSeconds);
    }

    /** Counts the warmings again. */
    void count() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select state, count(*), coalesce(max(extract(epoch from now() - coalesce(caught_up_at, created_at)))
                            filter (where every_seconds is not null and state <> 'PAUSED'), 0)
                        from warming where ended_at is null group by state""");
                ResultSet row = select.executeQuery()) {
            Map<WarmingState, Long> counts = new EnumMap<>(WarmingState.class);
            double lag = 0;
            while (row.next()) {
                counts.put(WarmingState.valueOf(row.getString(1)), row.getLong(2));
                lag = Math.max(lag, row.getDouble(3));
            }
            warmings.register(
                    Stream.of(WarmingState.values())
                            .filter(state -> !state.isOver())
                            .map(state -> row(state, counts.getOrDefault(state, 0L)))
                            .toList(),
                    true);
            lagSeconds = lag;
        }
    }

    private static MultiGauge.Row<?> row(WarmingState state, long count) {
        return MultiGauge.Row.of(ControlPlaneMetrics.WARMINGS.tags(state.name().toLowerCase(Locale.ROOT)), count);
    }
}
