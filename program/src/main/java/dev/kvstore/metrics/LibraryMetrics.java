package dev.kvstore.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Makes the metrics of libraries follow the rules of Prometheus, too. Stateless. */
@Singleton
public final class LibraryMetrics implements MeterFilter {
    /** A metric in nanoseconds, which are no base unit; {@link #register} counts the same in seconds. */
    private static final String CPU_NANOSECONDS = "process.cpu.time";

    private static final Pattern CAPITAL = Pattern.compile("(?<=[a-z0-9])[A-Z]");

    /**
     * Drops meters. A long task timer has samples that belong to no metric; the only one, of HTTP connections, is a
     * gauge, too.
     */
    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return id.getType() == Meter.Type.LONG_TASK_TIMER || id.getName().equals(CPU_NANOSECONDS)
                ? MeterFilterReply.DENY
                : MeterFilterReply.NEUTRAL;
    }

    @Override
    public Meter.Id map(Meter.Id id) {
        LibraryMetric known = LibraryMetric.ALL.get(id.getName());
        Tags tags = inSnakeCase(id.getTagsAsIterable());
        return known == null
                ? id.replaceTags(tags)
                : new Meter.Id(known.name(), tags, known.unit(), known.help(), id.getType());
    }

    private static Tags inSnakeCase(Iterable<Tag> tags) {
        List<Tag> renamed = new ArrayList<>();
        for (Tag tag : tags) {
            String key = CAPITAL.matcher(tag.getKey())
                    .replaceAll(capital -> "_" + capital.group().toLowerCase(Locale.ROOT));
            renamed.add(Tag.of(key, tag.getValue()));
        }
        return Tags.of(renamed);
    }

    void register(@Observes StartupEvent started, MeterRegistry registry) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            FunctionCounter.builder("process.cpu", system, of -> of.getProcessCpuTime() / 1e9)
                    .baseUnit("seconds")
                    .description("CPU time that all threads of the process have used.")
                    .register(registry);
        }
    }
}
