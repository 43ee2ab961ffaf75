package dev.kvstore.clusters.process;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A data-plane process, as the database has it. */
@Entity
@Table(name = "process")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class ServingProcess {
    /** The process' key: cluster and name. */
    @Embeddable
    public record Id(String cluster, String name) implements Serializable {}

    @EmbeddedId
    private Id id;

    private @Nullable String address;

    @Column(name = "numa_node")
    private @Nullable Integer numaNode;

    @Column(name = "created_at")
    private Instant createdAt;

    private boolean declared;

    private boolean draining;

    @Column(name = "refresh_at")
    private @Nullable Instant refreshAt;

    private long refreshes;

    @Version
    private long version;

    protected ServingProcess() {}

    ServingProcess(Id id, Instant now) {
        this.id = id;
        this.createdAt = now;
        this.version = Versions.first(now);
    }

    /** Notes that an operator wants the process in the list, whether it has joined or not. */
    void declare() {
        this.declared = true;
    }

    void update(String address, @Nullable Integer numaNode, boolean draining) {
        this.address = address;
        this.numaNode = numaNode;
        this.draining = draining;
    }

    void refresh(Instant now) {
        this.refreshAt = now;
        this.refreshes++;
    }

    Id id() {
        return id;
    }

    /** The address; null if another process has taken it. */
    @Nullable
    String address() {
        return address;
    }

    @Nullable
    Integer numaNode() {
        return numaNode;
    }

    /** Whether an operator registered the process; else it joined by itself. */
    boolean declared() {
        return declared;
    }

    /** Whether an operator wants the process to take nothing new. */
    boolean draining() {
        return draining;
    }

    /**
     * The last time at which an operator made the process forget what it keeps about accounts; null if there was none.
     */
    @Nullable
    Instant refreshAt() {
        return refreshAt;
    }

    /** The number of times that an operator made the process forget this. */
    long refreshes() {
        return refreshes;
    }

    Instant createdAt() {
        return createdAt;
    }

    long version() {
        return version;
    }
}
