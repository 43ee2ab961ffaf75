package dev.kvstore.clusters.cluster;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A cluster, as the database has it. */
@Entity
@Table(name = "cluster")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Cluster {
    @Id
    private String name;

    private String region;

    @Enumerated(EnumType.STRING)
    private ClusterState state;

    private List<String> addresses;

    @Column(name = "advertised_address")
    private @Nullable String advertisedAddress;

    @Column(name = "created_at")
    private Instant createdAt;

    @Column(name = "updated_at")
    private Instant updatedAt;

    @Version
    private long version;

    protected Cluster() {}

    Cluster(String name, String region, Instant now) {
        this.name = name;
        this.region = region;
        this.addresses = List.of();
        this.createdAt = now;
        this.version = Versions.first(now);
    }

    void update(ClusterState state, List<String> addresses, @Nullable String advertisedAddress, Instant now) {
        if (state != this.state
                || !addresses.equals(this.addresses)
                || !Objects.equals(advertisedAddress, this.advertisedAddress)) {
            this.state = state;
            this.addresses = List.copyOf(addresses);
            this.advertisedAddress = advertisedAddress;
            this.updatedAt = now;
        }
    }

    /** The patterns of the addresses that the cluster's processes may have; empty for any. */
    public List<String> addresses() {
        return List.copyOf(addresses);
    }

    /**
     * The address at which clients reach the cluster's processes: host:port, or a host alone for each at its own port;
     * null for each process' own address.
     */
    @Nullable
    String advertisedAddress() {
        return advertisedAddress;
    }

    String name() {
        return name;
    }

    /** The region of the cluster. */
    public String region() {
        return region;
    }

    ClusterState state() {
        return state;
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
}
