package dev.kvstore.client.internal;

import dev.kvstore.client.ClientCounters;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A meter of a client, the same for every library of meters.
 *
 * @param name the name with dots, as Micrometer and OpenTelemetry have it
 * @param unit in braces, as OpenTelemetry writes units of counted objects
 * @param text the description
 * @param value reads the value
 */
public record CounterText(String name, String unit, String text, ToLongFunction<ClientCounters> value) {
    /** All meters that only grow. */
    public static final List<CounterText> ALL = List.of(
            new CounterText(
                    "kvstore.client.retries", "{attempt}", "Attempts beyond the first.", ClientCounters::retries),
            new CounterText(
                    "kvstore.client.damaged.blocks",
                    "{block}",
                    "Blocks that arrived with a wrong checksum, name or length.",
                    ClientCounters::damagedBlocks),
            new CounterText(
                    "kvstore.client.leaked.blocks",
                    "{block}",
                    "Blocks that the application forgot to close.",
                    ClientCounters::leakedBlocks),
            new CounterText(
                    "kvstore.client.ejections",
                    "{ejection}",
                    "Times that a data plane was ejected because it failed.",
                    ClientCounters::ejections),
            new CounterText(
                    "kvstore.client.failovers",
                    "{attempt}",
                    "Attempts that went to another level than their key's own, which was away.",
                    ClientCounters::failovers));

    /** The name of the gauge of {@link ClientCounters#level}. */
    public static final String LEVEL = "kvstore.client.route.level";

    /** The description of that gauge. */
    public static final String LEVEL_TEXT = "Level of the route to which the latest attempt went; 0 is the nearest.";
}
