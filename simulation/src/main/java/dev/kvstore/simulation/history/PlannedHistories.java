package dev.kvstore.simulation.history;

import dev.kvstore.simulation.plan.ControlPlanePlan;
import dev.kvstore.simulation.plan.FarRegionPlan;
import dev.kvstore.simulation.plan.Plan;
import dev.kvstore.simulation.world.HistoryOutcome;
import dev.kvstore.simulation.world.SeededHistories;
import dev.kvstore.simulation.world.World;
import java.util.BitSet;
import java.util.stream.Collectors;

/** The histories of random plans. */
public final class PlannedHistories implements SeededHistories {
    public PlannedHistories() {}

    /** One of so many seeds has control planes: their database makes a history take longer. */
    private static final int CONTROLLED = 64;

    /** One of so many seeds has another region, and no such seed has control planes. */
    private static final int REGIONAL = 8;

    private static boolean hasFarRegion(long seed) {
        return seed % REGIONAL == REGIONAL / 2;
    }

    @Override
    public boolean hasControlPlanes(long seed) {
        return seed % CONTROLLED == 0;
    }

    private Plan plan(long seed) {
        Plan plan = Plan.of(World.random(seed, "plan"));
        if (hasFarRegion(seed)) {
            return FarRegionPlan.with(plan, World.random(seed, "plan of another region"));
        }
        return hasControlPlanes(seed)
                ? ControlPlanePlan.with(plan, World.random(seed, "plan of control planes"))
                : plan;
    }

    @Override
    public int steps(long seed) {
        return plan(seed).steps().size();
    }

    @Override
    public HistoryOutcome run(long seed, BitSet kept) {
        return new History(seed, plan(seed).only(kept), hasControlPlanes(seed)).run();
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
                .replaceAll("(from|operation|file|moment)=([^,\\]]*)", "\"$2\"")
                .replaceAll("next=", "new HistoryStep.")
                .replaceAll("(?<=[\\[ ])[a-z]\\w*=", "");
        return "new TimedStep(" + timed.millis() + ", new HistoryStep."
                + fields.replace("StorageMood[", "new StorageMood(")
                        .replaceAll("(?<=Inject\\[)(\\w+)\\[", "new InjectedFault.$1(")
                        .replaceAll("(?<=OfSdk\\[)(\\w+)\\[", "new SdkStep.$1(")
                        .replaceAll("(?<=OfControlPlanes\\[)(\\w+)\\[", "new ControlPlaneStep.$1(")
                        .replaceAll("(?<=(Hasty|CallFar)\\[)(\\w+)\\[", "new HistoryStep.$2(")
                        .replace("DatabaseWeather[", "new DatabaseWeather(")
                        .replace('[', '(')
                        .replace(']', ')')
                + ")";
    }
}
