package dev.kvstore.accounts.tenant;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A tenant, as the database has it. */
@Entity
@Table(name = "tenant")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Tenant {
    @Id
    private String name;

    @Column(name = "display_name")
    private String displayName;

    @Enumerated(EnumType.STRING)
    private TenantState state;

    @Column(name = "created_at")
    private Instant createdAt;

    @Column(name = "updated_at")
    private Instant updatedAt;

    @Version
    private long version;

    protected Tenant() {}

    Tenant(String name, Instant now) {
        this.name = name;
        this.displayName = name;
        this.state = TenantState.ACTIVE;
        this.createdAt = now;
        this.updatedAt = now;
    }

    void update(String displayName, TenantState state, Instant now) {
        if (!displayName.equals(this.displayName) || state != this.state) {
            this.displayName = displayName;
            this.state = state;
            this.updatedAt = now;
        }
    }

    public String name() {
        return name;
    }

    String displayName() {
        return displayName;
    }

    public TenantState state() {
        return state;
    }

    Instant createdAt() {
        return createdAt;
    }

    Instant updatedAt() {
        return updatedAt;
    }

    public long version() {
        return version;
    }
}
