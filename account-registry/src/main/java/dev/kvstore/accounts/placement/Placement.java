package dev.kvstore.accounts.placement;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.time.Instant;

/** The cluster of a region that serves an account, as the database has it. */
@Entity
@Table(name = "placement")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Placement {
    /** The placement's key: account and region. */
    @Embeddable
    public record Id(@Column(name = "resource_name") String resourceName, String region) implements Serializable {}

    @EmbeddedId
    private Id id;

    private String cluster;
    private boolean pinned;
    private boolean automatic;

    @Version
    private long version;

    protected Placement() {}

    Placement(Id id, Instant now) {
        this.id = id;
        this.version = Versions.first(now);
    }

    void update(String cluster, boolean pinned) {
        this.cluster = cluster;
        this.pinned = pinned;
        this.automatic = false;
    }

    /** Sets a cluster that the platform chose, not an admin. */
    void choose(String cluster) {
        this.cluster = cluster;
        this.pinned = false;
        this.automatic = true;
    }

    Id id() {
        return id;
    }

    String cluster() {
        return cluster;
    }

    boolean pinned() {
        return pinned;
    }

    boolean automatic() {
        return automatic;
    }

    long version() {
        return version;
    }
}
