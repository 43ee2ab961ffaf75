package dev.kvstore.client.micrometer;

import dev.kvstore.client.KvClient;
import dev.kvstore.client.internal.CounterText;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The counters of a client as meters of Micrometer: {@code new KvClientMeters(client).bindTo(registry)}. The application
 * brings {@code io.micrometer:micrometer-core}. Registries hold the client weakly: meters end with it. Thread-safe.
 */
public final class KvClientMeters implements MeterBinder {
    private final KvClient client;
    private final Tags tags;

    /** @param client a client that stays open while its meters are read */
    public KvClientMeters(KvClient client) {
        this(client, Tags.empty());
    }

    /**
     * Makes meters with tags.
     *
     * @param tags tags of each meter, such as the name of the client where there are several
     */
    public KvClientMeters(KvClient client, Iterable<Tag> tags) {
        this.client = client;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (CounterText counter : CounterText.ALL) {
            FunctionCounter.builder(
                            counter.name(), client, of -> counter.value().applyAsLong(of.counters()))
                    .description(counter.text())
                    .tags(tags)
                    .register(registry);
        }
        Gauge.builder(CounterText.LEVEL, client, of -> of.counters().level())
                .description(CounterText.LEVEL_TEXT)
                .tags(tags)
                .register(registry);
    }
}
