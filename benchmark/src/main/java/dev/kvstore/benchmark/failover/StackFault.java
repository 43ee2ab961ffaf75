package dev.kvstore.benchmark.failover;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import java.util.List;

/**
 * The fault of a case, in a stack. For one thread.
 *
 * @param victims the data planes that it hits
 */
record StackFault(FailoverCase what, List<StackDataPlane> victims, AdminCalls admin) {
    static StackFault of(FailoverCase what, LocalStack stack, AdminCalls admin) {
        StackLayout.Region home = stack.layout().regions().getFirst();
        List<StackDataPlane> there = stack.dataPlanes(home.name());
        String cluster = home.clusters().getFirst().name();
        List<StackDataPlane> members =
                there.stream().filter(one -> one.cluster().equals(cluster)).toList();
        List<StackDataPlane> victims = switch (what.scope()) {
            case PROCESS -> members.subList(0, 1);
            case CLUSTER -> members;
            case REGION -> there;
        };
        return new StackFault(what, victims, admin);
    }

    void begin() throws InterruptedException {
        switch (what.deed()) {
            case KILL -> victims.parallelStream().forEach(StackDataPlane::kill);
            case FREEZE -> {
                for (StackDataPlane victim : victims) {
                    victim.process().freeze();
                }
            }
            case DRAIN -> drain(true);
        }
    }

    void end() throws InterruptedException {
        switch (what.deed()) {
            case KILL ->
                CallLoad.calls(
                        victims.size(), 0, victims.size(), i -> victims.get(i).startAgain());
            case FREEZE -> {
                for (StackDataPlane victim : victims) {
                    victim.process().thaw();
                }
            }
            case DRAIN -> drain(false);
        }
    }

    private void drain(boolean draining) throws InterruptedException {
        if (what.scope() == FailoverCase.FaultScope.PROCESS) {
            for (StackDataPlane victim : victims) {
                ObjectNode spec =
                        AdminCalls.spec().put("address", victim.endpoint()).put("draining", draining);
                admin.put(spec, "clusters", victim.cluster(), "processes", victim.memberName());
            }
            return;
        }
        ObjectNode spec = AdminCalls.spec()
                .put("region", victims.getFirst().region())
                .put("state", draining ? "draining" : "active");
        for (String cluster :
                victims.stream().map(StackDataPlane::cluster).distinct().toList()) {
            admin.put(spec, "clusters", cluster);
        }
    }
}
