package dev.kvstore.accounts.account;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.function.Supplier;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** The storage of an account in one region, in the database. */
@Entity
@Table(name = "replica")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Replica {
    /** The replica's key: account and region. */
    @Embeddable
    public record Id(@Column(name = "resource_name") String resourceName, String region) implements Serializable {}

    @EmbeddedId
    private Id id;

    @Column(insertable = false, updatable = false)
    private String region;

    private StorageRow storage;
    private boolean vouched;
    private boolean proven;
    private String nonce;
    private String attempt;
    private @Nullable String claim;

    @Column(name = "confirmed_by")
    private @Nullable String confirmedBy;

    @Column(name = "tried_by")
    private @Nullable String triedBy;

    private boolean unreported;

    @Enumerated(EnumType.STRING)
    private ReplicaState state;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String report;

    @Column(name = "probed_at")
    private @Nullable Instant probedAt;

    @Column(name = "probe_after")
    private Instant probeAfter;

    /** Whether an admin asked for a trial that has not been reported on yet. */
    @SuppressWarnings("UnusedVariable") // A query reads it.
    private boolean asked;

    protected Replica() {}

    Replica(String resourceName, String region) {
        this.id = new Id(resourceName, region);
        this.region = region;
    }

    /**
     * Sets the storage of the blobs. If it is another one than before, or no admin vouches for it any more, it must be
     * proven again.
     *
     * @param random a text that cannot be guessed, a new one each time
     */
    void place(ReplicaConfig config, Supplier<String> random, Instant now) {
        ReplicaConfig before = place();
        if (config.equals(before)) {
            return;
        }
        if (before == null || !before.isSameOwners(config)) {
            disprove(random.get());
        }
        this.storage = config.storage();
        this.vouched = config.vouched();
        tryAnew(random.get(), now);
    }

    /**
     * Requires a new proof from the tenant, whichever tenant had proven the storage before.
     *
     * @param random text that nobody guesses, a new one each time
     */
    void prove(Supplier<String> random, Instant now) {
        disprove(random.get());
        tryAnew(random.get(), now);
    }

    private void disprove(String nonce) {
        this.proven = false;
        this.nonce = nonce;
    }

    private void tryAnew(String attempt, Instant now) {
        this.attempt = attempt;
        this.confirmedBy = null;
        this.triedBy = null;
        this.unreported = false;
        this.state = ReplicaState.UNPROVEN;
        this.report = null;
        this.probedAt = null;
        this.probeAfter = now;
    }

    /** The storage as an admin sets it. */
    record ReplicaConfig(StorageRow storage, boolean vouched) {
        /** Whether both storages have the same owner. */
        boolean isSameOwners(ReplicaConfig other) {
            return storage.isAt(other.storage) && (other.vouched || !vouched);
        }
    }

    @Nullable
    ReplicaConfig place() {
        return storage == null ? null : new ReplicaConfig(storage, vouched);
    }

    /**
     * Notes that a data plane of a cluster has a trial of this replica; after the limit another data plane gets it.
     *
     * @param claim text that nobody guesses, a new one each time; only that data plane gets it
     */
    void give(String claim, String cluster, Instant limit) {
        this.claim = claim;
        this.triedBy = cluster;
        this.unreported = true;
        probeAfter = limit;
    }

    /** Takes back a trial that no data plane was told of. */
    void takeBack(String claim, Instant now) {
        this.claim = claim;
        this.unreported = false;
        probeAfter = now;
    }

    /**
     * Notes that a cluster has found the proof of ownership.
     *
     * @return whether another cluster found it before, in this attempt
     */
    boolean confirm(String cluster) {
        if (confirmedBy == null) {
            confirmedBy = cluster;
        }
        return !confirmedBy.equals(cluster);
    }

    /** Whether this cluster has found the proof of ownership before, in this attempt. */
    boolean isConfirmedBy(String cluster) {
        return cluster.equals(confirmedBy);
    }

    /**
     * Notes that one cluster has found the proof, and that another one has to find it.
     *
     * @param again the time of the next trial
     */
    void awaitConfirmation(String report, Instant now, Instant again) {
        this.report = report;
        this.probedAt = now;
        this.probeAfter = again;
        this.unreported = false;
    }

    void report(boolean ready, String report, Instant now, Instant again) {
        // Storage that is away for a while stays ready: its owner must not be locked out.
        if (ready || state != ReplicaState.READY) {
            this.state = ready ? ReplicaState.READY : ReplicaState.FAILING;
        }
        this.proven = proven || ready;
        this.report = report;
        this.probedAt = now;
        this.probeAfter = again;
        this.asked = false;
        this.unreported = false;
    }

    public String resourceName() {
        return id.resourceName();
    }

    public String region() {
        return id.region();
    }

    public StorageRow storage() {
        return storage;
    }

    /** Whether a platform admin vouches that the storage belongs to the tenant, so that no proof is needed. */
    public boolean vouched() {
        return vouched;
    }

    /** Whether the tenant must still prove that the storage belongs to it. */
    public boolean isToProve() {
        return !proven && !vouched;
    }

    /** The text that the owner must put into the storage. */
    public String nonce() {
        return nonce;
    }

    /**
     * Names the place and the credential of a trial. The name changes when either changes, so that a report on the
     * former storage or credential does not count.
     */
    public String attempt() {
        return attempt;
    }

    /** The secret of the latest trial, known only to the data plane that has the trial; null before the first trial. */
    public @Nullable String claim() {
        return claim;
    }

    /**
     * The clusters of the replica's trials.
     *
     * @param placed the cluster on which the account is placed in this region; null for none
     */
    TrialCluster.TrialHistory history(@Nullable String placed) {
        return new TrialCluster.TrialHistory(isToProve(), placed, confirmedBy, triedBy, unreported);
    }

    public ReplicaState state() {
        return state;
    }

    /** The time of the last trial; null if there was none. */
    @Nullable
    Instant probedAt() {
        return probedAt;
    }

    @Nullable
    String report() {
        return report;
    }
}
