package dev.kvstore.accounts.account;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.MapKey;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A storage account, as it is kept. */
@Entity
@Table(name = "account")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Account {
    @Id
    @Column(name = "resource_name")
    private String resourceName;

    private String tenant;

    @Column(name = "home_region")
    private String homeRegion;

    @Column(name = "allowed_regions")
    private List<String> allowedRegions = List.of();

    @Column(name = "avoided_regions")
    private List<String> avoidedRegions = List.of();

    @Column(name = "read_through")
    private @Nullable String readThrough;

    @Column(name = "read_through_millis")
    private @Nullable Integer readThroughMillis;

    @Column(name = "max_offline_seconds")
    private @Nullable Integer maxOfflineSeconds;

    @Enumerated(EnumType.STRING)
    private AccountState state;

    private int operations;

    @Column(name = "bytes_per_second")
    private long bytesPerSecond;

    @Column(name = "created_at")
    private Instant createdAt;

    @Column(name = "updated_at")
    private Instant updatedAt;

    @Version
    private long version;

    @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true, fetch = FetchType.LAZY)
    @JoinColumn(name = "resource_name", insertable = false, updatable = false)
    @MapKey(name = "region")
    @OrderBy("region")
    private Map<String, Replica> replicas = new TreeMap<>();

    protected Account() {}

    Account(String resourceName, String tenant, Instant now) {
        this.resourceName = resourceName;
        this.tenant = tenant;
        this.createdAt = now;
    }

    void update(String homeRegion, Instant now) {
        if (!homeRegion.equals(this.homeRegion) || state != AccountState.ACTIVE) {
            this.homeRegion = homeRegion;
            this.state = AccountState.ACTIVE;
            this.updatedAt = now;
        }
    }

    /** @param regions in the order of their names */
    void allow(List<String> regions, Instant now) {
        if (!regions.equals(allowedRegions)) {
            this.allowedRegions = regions;
            this.updatedAt = now;
        }
    }

    /** @param regions in the order of their names */
    void avoid(List<String> regions, Instant now) {
        if (!regions.equals(avoidedRegions)) {
            this.avoidedRegions = regions;
            this.updatedAt = now;
        }
    }

    /** @param through with a time; null for nowhere */
    void readThrough(@Nullable ReadThrough through, Instant now) {
        if (!Objects.equals(through, readThrough())) {
            this.readThrough = through == null ? null : through.from();
            this.readThroughMillis = through == null ? null : through.withinMillis();
            this.updatedAt = now;
        }
    }

    /** @param seconds null for the usual */
    void goOffline(@Nullable Integer seconds, Instant now) {
        if (!Objects.equals(seconds, maxOfflineSeconds)) {
            this.maxOfflineSeconds = seconds;
            this.updatedAt = now;
        }
    }

    void limit(Limits limits, Instant now) {
        if (!limits.equals(limits())) {
            this.operations = limits.operations();
            this.bytesPerSecond = limits.bytesPerSecond();
            this.updatedAt = now;
        }
    }

    void delete(Instant now) {
        this.state = AccountState.DELETED;
        this.updatedAt = now;
    }

    /** Something of it changed that is kept beside it. */
    void touch(Instant now) {
        this.updatedAt = now;
    }

    public String resourceName() {
        return resourceName;
    }

    /** The owner. */
    public String tenant() {
        return tenant;
    }

    public String homeRegion() {
        return homeRegion;
    }

    /** Where it may be served, in the order of their names; empty: everywhere. */
    public List<String> allowedRegions() {
        return List.copyOf(allowedRegions);
    }

    /** Where it is not served for now, in the order of their names. */
    public List<String> avoidedRegions() {
        return List.copyOf(avoidedRegions);
    }

    /** Where a block is fetched from that a replica does not have; null for nowhere. */
    public @Nullable ReadThrough readThrough() {
        return readThrough == null ? null : new ReadThrough(readThrough, readThroughMillis);
    }

    /**
     * For how many seconds a data plane that does not reach the control plane goes on serving it; null if nobody has
     * said.
     */
    @Nullable
    Integer maxOfflineSeconds() {
        return maxOfflineSeconds;
    }

    public AccountState state() {
        return state;
    }

    public Limits limits() {
        return new Limits(operations, bytesPerSecond);
    }

    Instant createdAt() {
        return createdAt;
    }

    Instant updatedAt() {
        return updatedAt;
    }

    long version() {
        return version;
    }

    Map<String, Replica> replicas() {
        return replicas;
    }
}
