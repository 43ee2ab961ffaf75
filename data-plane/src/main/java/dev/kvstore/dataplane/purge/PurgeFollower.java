package dev.kvstore.dataplane.purge;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.block.PurgeRule;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.protocol.control.v1.FollowRequest;
import dev.kvstore.protocol.control.v1.FollowResponse;
import dev.kvstore.protocol.control.v1.Purge;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.Purged;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.Status;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Learns of purges and forgets their blocks. It confirms a purge by asking for the next change. For one thread. */
final class PurgeFollower {
    private static final Duration DEADLINE = Duration.ofSeconds(4);
    private static final Logger LOG = System.getLogger(PurgeFollower.class.getName());

    private final ControlPlaneReplicas plane;
    private final Supplier<String> lease;
    private final PurgeRules rules;
    private final Presence presence;
    private final LongAdder forgotten = new LongAdder();
    private long done;
    private boolean away;

    /** @param lease the id of this process's lease; empty while there is none */
    PurgeFollower(ControlPlaneReplicas plane, Supplier<String> lease, PurgeRules rules, Presence presence) {
        this.plane = plane;
        this.lease = lease;
        this.rules = rules;
        this.presence = presence;
    }

    /** Number of purged blocks that were removed from memory; for any thread. */
    long forgotten() {
        return forgotten.sum();
    }

    /** Asks once. Answers whether to ask again at once: for more, or to confirm the purges learnt by this process. */
    boolean follow() throws InterruptedException {
        String mine = lease.get();
        if (mine.isEmpty()) {
            return false;
        }
        FollowRequest request =
                FollowRequest.newBuilder().setLease(mine).setSince(done).build();
        FollowResponse answer;
        try {
            answer = plane.ask(PurgeServiceGrpc::newFutureStub, stub -> stub.follow(request), DEADLINE);
            away = false;
        } catch (StatusException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                // A control plane of an older version has no purges.
                rules.learn(List.of(), List.of(), true);
                return false;
            }
            if (!away) {
                LOG.log(Level.WARNING, "the control plane was not asked for purges: {0}", e.getStatus());
            }
            away = true;
            return false;
        }
        return learn(answer);
    }

    /** Learns of purges. Answers whether there were some, and all of it is done. */
    private boolean learn(FollowResponse answer) {
        List<PurgeRule> changed = new ArrayList<>();
        Set<String> ended = new HashSet<>();
        long latest = done;
        for (Purge purge : answer.getPurgesList()) {
            latest = Math.max(latest, purge.getVersion());
            switch (purge.getState()) {
                case RUNNING -> changed.add(rule(purge, true, false));
                case FORGETTING -> changed.add(rule(purge, true, true));
                case OVER -> changed.add(rule(purge, false, true));
                case VOID, STATE_UNSPECIFIED, UNRECOGNIZED -> ended.add(purge.getId());
            }
        }
        boolean news = latest > done;
        if (news || !rules.isKnown()) {
            rules.learn(changed, ended, !answer.getMore());
            forgotten.add(presence.forgetPurged(rules));
        }
        // A copy that is under way would come back after storage was gone through: until it is over, nothing is done.
        boolean settled = !rules.isAnyCopied();
        if (settled) {
            done = latest;
        }
        return settled && (news || answer.getMore());
    }

    private static PurgeRule rule(Purge purge, boolean running, boolean deleted) {
        Purged what = purge.getWhat();
        return new PurgeRule(
                purge.getId(),
                purge.getVersion(),
                Set.copyOf(purge.getPlacesList()),
                what.getRoot().isEmpty() ? null : WireNames.hash(what.getRoot()),
                what.getHash().isEmpty() ? null : WireNames.hash(what.getHash()),
                what.getWriter().isEmpty() ? null : what.getWriter(),
                running,
                deleted);
    }
}
