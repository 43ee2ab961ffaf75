package dev.kvstore.client.opentelemetry;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.internal.CounterText;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of a client as metrics of OpenTelemetry, from {@link #of} until {@link #close}. The application brings
 * {@code io.opentelemetry:opentelemetry-api}. Thread-safe.
 */
public final class KvClientMetrics implements AutoCloseable {
    private final List<Runnable> ends;

    /** @param ends end each instrument */
    private KvClientMetrics(List<Runnable> ends) {
        this.ends = List.copyOf(ends);
    }

    /**
     * Registers the metrics of a client.
     *
     * @param client a client that stays open as long as its metrics
     * @param attributes attributes of each value, such as the name of the client where there are several
     */
    public static KvClientMetrics of(KvClient client, Meter meter, Attributes attributes) {
        List<Runnable> ends = new ArrayList<>();
        for (CounterText counter : CounterText.ALL) {
            ends.add(
                    meter.counterBuilder(counter.name())
                                    .setUnit(counter.unit())
                                    .setDescription(counter.text())
                                    .buildWithCallback(
                                            to -> to.record(counter.value().applyAsLong(client.counters()), attributes))
                            ::close);
        }
        ends.add(meter.gaugeBuilder(CounterText.LEVEL)
                .ofLongs()
                .setDescription(CounterText.LEVEL_TEXT)
                .buildWithCallback(to -> to.record(client.counters().level(), attributes))::close);
        return new KvClientMetrics(ends);
    }

    /** Ends the metrics. Closing again does nothing. */
    @Override
    public void close() {
        ends.forEach(Runnable::run);
    }
}
