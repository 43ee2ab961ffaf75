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

/** A storage account, as the database has it. */
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

    /** @param regions sorted by name */
    void allow(List<String> regions, Instant now) {
        if (!regions.equals(allowedRegions)) {
            this.allowedRegions = regions;
            this.updatedAt = now;
        }
    }

    /** @param regions sorted by name */
    void avoid(List<String> regions, Instant now) {
        if (!regions.equals(avoidedRegions)) {
            this.avoidedRegions = regions;
            this.updatedAt = now;
        }
    }

    /** @param through the source and its time limit; null for none */
    void readThrough(@Nullable ReadThrough through, Instant now) {
        if (!Objects.equals(through, readThrough())) {
            this.readThrough = through == null ? null : through.from();
            this.readThroughMillis = through == null ? null : through.withinMillis();
            this.updatedAt = now;
        }
    }

    /** @param seconds null for the default */
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

    /** Notes a change of something that is stored beside the account. */
    void touch(Instant now) {
        this.updatedAt = now;
    }

    public String resourceName() {
        return resourceName;
    }

    /** The tenant that owns the account. */
    public String tenant() {
        return tenant;
    }

    public String homeRegion() {
        return homeRegion;
    }

    /** The regions in which the account may be served, sorted by name; empty for all. */
    public List<String> allowedRegions() {
        return List.copyOf(allowedRegions);
    }

    /** The regions in which the account is not served for now, sorted by name. */
    public List<String> avoidedRegions() {
        return List.copyOf(avoidedRegions);
    }

    /** The source from which a block is fetched that a replica does not have; null for none. */
    public @Nullable ReadThrough readThrough() {
        return readThrough == null ? null : new ReadThrough(readThrough, readThroughMillis);
    }

    /**
     * The seconds for which a data plane without a control plane goes on serving the account; null if nobody has set
     * them.
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
