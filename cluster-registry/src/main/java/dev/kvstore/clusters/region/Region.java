package dev.kvstore.clusters.region;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A region, as the database has it. */
@Entity
@Table(name = "region")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Region {
    @Id
    private String name;

    @Column(name = "display_name")
    private String displayName;

    @Column(name = "created_at")
    private Instant createdAt;

    @Version
    private long version;

    protected Region() {}

    Region(String name, Instant now) {
        this.name = name;
        this.createdAt = now;
        this.version = Versions.first(now);
    }

    void update(String displayName) {
        this.displayName = displayName;
    }

    String name() {
        return name;
    }

    String displayName() {
        return displayName;
    }

    Instant createdAt() {
        return createdAt;
    }

    long version() {
        return version;
    }
}
