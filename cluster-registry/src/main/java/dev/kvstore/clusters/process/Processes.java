package dev.kvstore.clusters.process;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Outcome;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.problem.Kind;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.clusters.cluster.ClusterRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Processes, for those who may see and change them. Thread-safe. */
@ApplicationScoped
public class Processes {
    private static final String KIND = "process";

    private final ProcessRepository processes;
    private final ClusterRepository clusters;
    private final ChangeLog changes;
    private final Clock clock;

    Processes(ProcessRepository processes, ClusterRepository clusters, ChangeLog changes, Clock clock) {
        this.processes = processes;
        this.clusters = clusters;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<ProcessView> page(String cluster, @Nullable String cursor, int limit) {
        requireCluster(cluster);
        return Page.of(
                processes.page(cluster, Cursor.name(cursor), limit + 1),
                limit,
                process -> process.id().name(),
                ProcessView::of);
    }

    private void requireCluster(String cluster) {
        if (clusters.findById(cluster) == null) {
            throw ProblemException.notFound("cluster", cluster);
        }
    }

    @Transactional
    ProcessView get(String cluster, String name) {
        return ProcessView.of(find(cluster, name));
    }

    private ServingProcess find(String cluster, String name) {
        ServingProcess process = processes.findById(new ServingProcess.Id(cluster, name));
        if (process == null) {
            throw ProblemException.notFound(KIND, name);
        }
        return process;
    }

    @Transactional
    Outcome<ProcessView> put(Caller caller, String cluster, String name, ProcessSpec spec, Precondition precondition) {
        caller.requireOperator();
        changes.begin();
        requireCluster(cluster);
        ServingProcess known = processes.findById(new ServingProcess.Id(cluster, name));
        precondition.check(known == null ? null : known.version());
        ServingProcess there = processes.at(spec.address());
        if (there != null && there != known) {
            throw ProblemException.of(
                    Kind.CONFLICT,
                    "address: " + there.id().cluster() + "/" + there.id().name() + " is there already");
        }
        ProcessView before = known == null ? null : ProcessView.of(known);
        ServingProcess process =
                known == null ? new ServingProcess(new ServingProcess.Id(cluster, name), clock.instant()) : known;
        process.update(spec.address(), spec.numaNode(), Boolean.TRUE.equals(spec.draining()));
        processes.persistAndFlush(process);
        ProcessView after = ProcessView.of(process);
        changes.record(
                caller,
                before == null ? ChangeLog.Action.CREATE : ChangeLog.Action.UPDATE,
                new Subject(KIND, cluster + "/" + name, null),
                before,
                after,
                Affected.NONE);
        return new Outcome<>(after, after.version(), before == null);
    }

    @Transactional
    void delete(Caller caller, String cluster, String name, Precondition precondition) {
        caller.requireOperator();
        changes.begin();
        ServingProcess process = find(cluster, name);
        precondition.check(process.version());
        processes.delete(process);
        changes.record(
                caller,
                ChangeLog.Action.DELETE,
                new Subject(KIND, cluster + "/" + name, null),
                ProcessView.of(process),
                null,
                Affected.NONE);
    }
}
