package dev.kvstore.simulation.history;

import dev.kvstore.simulation.world.HistoryOutcome;
import dev.kvstore.simulation.world.SeededHistories;
import dev.kvstore.simulation.world.World;
import java.util.BitSet;
import java.util.stream.Collectors;

/** The histories of random plans. */
public final class PlannedHistories implements SeededHistories {
    public PlannedHistories() {}

    private static Plan plan(long seed) {
        return Plan.of(World.random(seed, "plan"));
    }

    @Override
    public int steps(long seed) {
        return plan(seed).steps().size();
    }

    @Override
    public HistoryOutcome run(long seed, BitSet kept) {
        return new History(seed, plan(seed).only(kept)).run();
    }

    @Override
    public String code(long seed, BitSet kept) {
        return plan(seed).only(kept).steps().stream()
                .map(PlannedHistories::code)
                .collect(Collectors.joining(",\n"));
    }

    private static String code(Plan.TimedStep timed) {
        String fields = timed.step()
                .toString()
                .replaceAll("(from|operation|file)=([^,\\]]*)", "\"$2\"")
                .replaceAll("next=", "new HistoryStep.")
                .replaceAll("(?<=[\\[ ])[a-z]\\w*=", "");
        return "new TimedStep(" + timed.millis() + ", new HistoryStep."
                + fields.replace("StorageMood[", "new StorageMood(")
                        .replaceAll("(?<=Inject\\[)(\\w+)\\[", "new InjectedFault.$1(")
                        .replaceAll("(?<=Hasty\\[)(\\w+)\\[", "new HistoryStep.$1(")
                        .replace('[', '(')
                        .replace(']', ')')
                + ")";
    }
}
