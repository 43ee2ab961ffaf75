package dev.kvstore.control.purge;

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
 * Counts the purges of the database, so that every control plane reports the same. One thread counts; any thread reads
 * the meters.
 */
@Singleton
final class PurgeMeters {
    private final DataSource database;
    private final MultiGauge purges;
    private volatile double oldestSeconds;

    PurgeMeters(DataSource database, MeterRegistry registry) {
        this.database = database;
        this.purges = ControlPlaneMetrics.PURGES.rows(registry);
        ControlPlaneMetrics.PURGE_AGE.gauge(registry, this, of -> of.oldestSeconds);
    }

    /** Counts the purges again. */
    void count() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select state, count(*), max(extract(epoch from now() - created_at))
                        from purge where ended_at is null group by state""");
                ResultSet row = select.executeQuery()) {
            Map<PurgeState, Long> counts = new EnumMap<>(PurgeState.class);
            double oldest = 0;
            while (row.next()) {
                counts.put(PurgeState.valueOf(row.getString(1)), row.getLong(2));
                oldest = Math.max(oldest, row.getDouble(3));
            }
            purges.register(
                    Stream.of(PurgeState.values())
                            .filter(state -> !state.isOver())
                            .map(state -> row(state, counts.getOrDefault(state, 0L)))
                            .toList(),
                    true);
            oldestSeconds = oldest;
        }
    }

    private static MultiGauge.Row<?> row(PurgeState state, long count) {
        return MultiGauge.Row.of(ControlPlaneMetrics.PURGES.tags(state.name().toLowerCase(Locale.ROOT)), count);
    }
}
