package dev.kvstore.benchmark.failover;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Does something to a part of a stack, and undoes it. For one thread. */
final class Deeds {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final LocalStack stack;
    private final AdminClient admin;

    Deeds(LocalStack stack, AdminClient admin) {
        this.stack = stack;
        this.admin = admin;
    }

    /** The data planes that a case is about. */
    List<StackDataPlane> victims(FailoverCase.FaultScope scope) {
        StackLayout.Region home = stack.layout().regions().getFirst();
        List<StackDataPlane> there = stack.dataPlanes(home.name());
        String cluster = home.clusters().getFirst().name();
        List<StackDataPlane> members =
                there.stream().filter(one -> one.cluster().equals(cluster)).toList();
        return switch (scope) {
            case PROCESS -> members.subList(0, 1);
            case CLUSTER -> members;
            case REGION -> there;
        };
    }

    void commit(FailoverCase what) throws InterruptedException {
        List<StackDataPlane> victims = victims(what.scope());
        switch (what.deed()) {
            case KILL -> victims.parallelStream().forEach(StackDataPlane::kill);
            case FREEZE -> {
                for (StackDataPlane victim : victims) {
                    victim.process().freeze();
                }
            }
            case DRAIN -> drain(what.scope(), victims, true);
        }
    }

    void undo(FailoverCase what) throws InterruptedException {
        List<StackDataPlane> victims = victims(what.scope());
        switch (what.deed()) {
            case KILL -> startAgain(victims);
            case FREEZE -> {
                for (StackDataPlane victim : victims) {
                    victim.process().thaw();
                }
            }
            case DRAIN -> drain(what.scope(), victims, false);
        }
    }

    private void drain(FailoverCase.FaultScope scope, List<StackDataPlane> victims, boolean draining)
            throws InterruptedException {
        if (scope == FailoverCase.FaultScope.PROCESS) {
            for (StackDataPlane victim : victims) {
                ObjectNode spec =
                        JSON.objectNode().put("address", victim.endpoint()).put("draining", draining);
                put(spec, "clusters", victim.cluster(), "processes", victim.memberName());
            }
            return;
        }
        for (String cluster :
                victims.stream().map(StackDataPlane::cluster).distinct().toList()) {
            ObjectNode spec = JSON.objectNode()
                    .put("region", victims.getFirst().region())
                    .put("state", draining ? "draining" : "active");
            put(spec, "clusters", cluster);
        }
    }

    private void put(ObjectNode spec, String... path) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("v1"));
        all.addAll(List.of(path));
        admin.send(RestRequest.put(all, spec)).accepted();
    }

    private static void startAgain(List<StackDataPlane> victims) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> starts = victims.stream()
                    .map(victim -> threads.submit(victim::startAgain))
                    .toList();
            for (Future<?> start : starts) {
                start.get();
            }
        } catch (ExecutionException e) {
            throw new LaunchException("a data plane did not start again: " + e.getMessage(), e);
        }
    }
}
