package dev.kvstore.clusters.process;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.clusters.address.Address;
import dev.kvstore.clusters.address.AddressPattern;
import dev.kvstore.clusters.cluster.Cluster;
import dev.kvstore.clusters.cluster.ClusterRepository;
import dev.kvstore.clusters.member.MemberView;
import dev.kvstore.clusters.member.Members;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Processes {
    private static final String KIND = "process";

    private final ProcessRepository processes;
    private final ClusterRepository clusters;
    private final Members members;
    private final ChangeLog changes;
    private final Clock clock;

    Processes(
            ProcessRepository processes, ClusterRepository clusters, Members members, ChangeLog changes, Clock clock) {
        this.processes = processes;
        this.clusters = clusters;
        this.members = members;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<ProcessView> page(String cluster, @Nullable String cursor, int limit) {
        var _ = requireCluster(cluster);
        List<ServingProcess> page = processes.page(cluster, Cursor.name(cursor), limit + 1);
        Map<String, MemberView> joined = members.of(
                cluster, page.stream().map(process -> process.id().name()).toList());
        Instant now = members.now();
        return Page.of(
                page,
                limit,
                process -> process.id().name(),
                process -> ProcessView.of(process, joined.get(process.id().name()), now));
    }

    private Cluster requireCluster(String name) {
        Cluster cluster = clusters.findById(name);
        if (cluster == null) {
            throw ProblemException.notFound("cluster", name);
        }
        return cluster;
    }

    private static void requireTakes(Cluster cluster, String address) {
        List<String> patterns = cluster.addresses();
        if (Address.isOne(address)
                && !AddressPattern.anyTakes(
                        patterns.stream().map(AddressPattern::of).toList(), address)) {
            throw ProblemException.invalid(
                    "address", "must match a pattern of the cluster: " + String.join(", ", patterns));
        }
    }

    @Transactional
    ProcessView get(String cluster, String name) {
        return view(find(cluster, name));
    }

    private ProcessView view(ServingProcess process) {
        return ProcessView.of(process, member(process.id()), members.now());
    }

    private @Nullable MemberView member(ServingProcess.Id id) {
        return members.of(id.cluster(), List.of(id.name())).get(id.name());
    }

    private ServingProcess find(String cluster, String name) {
        ServingProcess process = processes.findById(new ServingProcess.Id(cluster, name));
        if (process == null) {
            throw ProblemException.notFound(KIND, name);
        }
        return process;
    }

    @Transactional
    PutOutcome<ProcessView> put(
            Caller caller, String cluster, String name, ProcessSpec spec, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        Cluster home = requireCluster(cluster);
        ServingProcess known = processes.findById(new ServingProcess.Id(cluster, name));
        precondition.check(known == null ? null : known.version());
        // A registered process may be drained, whatever addresses the cluster takes now.
        if (known == null || !spec.address().equals(known.address())) {
            requireTakes(home, spec.address());
        }
        ServingProcess there = processes.at(spec.address());
        if (there != null && there != known) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "address: " + there.id().cluster() + "/" + there.id().name() + " is there already");
        }
        ServingProcess.Id id = new ServingProcess.Id(cluster, name);
        ProcessView.RegisteredProcess before = known == null ? null : ProcessView.RegisteredProcess.of(known);
        ServingProcess process = known == null ? new ServingProcess(id, clock.instant()) : known;
        MemberView member = member(id);
        update(process, spec, member);
        processes.persistAndFlush(process);
        changes.record(
                caller,
                before == null ? ChangeLog.Action.CREATE : ChangeLog.Action.UPDATE,
                subject(process),
                before,
                ProcessView.RegisteredProcess.of(process),
                Affected.NONE);
        ProcessView after = ProcessView.of(process, member, members.now());
        return new PutOutcome<>(after, after.version(), before == null);
    }

    /** Updates the fields that an operator sets. A process that holds a lease reports its address itself. */
    private void update(ServingProcess process, ProcessSpec spec, @Nullable MemberView member) {
        boolean draining = Boolean.TRUE.equals(spec.draining());
        if (member == null) {
            process.declare();
            process.update(spec.address(), spec.numaNode(), draining);
            return;
        }
        if (members.now().isBefore(member.leaseEndsAt()) && !spec.address().equals(process.address())) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "address: the process holds a lease, and registered itself at " + process.address());
        }
        process.update(spec.address(), spec.numaNode() == null ? process.numaNode() : spec.numaNode(), draining);
    }

    private static Subject subject(ServingProcess process) {
        return new Subject(KIND, process.id().cluster() + "/" + process.id().name(), null);
    }

    /** Makes a process forget its data about accounts, with its next heartbeat. */
    @Transactional
    ProcessView refresh(Caller caller, String cluster, String name) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        ServingProcess process = find(cluster, name);
        ProcessView.RegisteredProcess before = ProcessView.RegisteredProcess.of(process);
        process.refresh(members.now());
        processes.flush();
        changes.record(
                caller,
                ChangeLog.Action.UPDATE,
                subject(process),
                before,
                ProcessView.RegisteredProcess.of(process),
                Affected.NONE);
        return view(process);
    }

    @Transactional
    void delete(Caller caller, String cluster, String name, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        ServingProcess process = find(cluster, name);
        precondition.check(process.version());
        processes.delete(process);
        changes.delete(caller, subject(process), ProcessView.RegisteredProcess.of(process), Affected.NONE);
    }
}
