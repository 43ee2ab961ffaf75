package dev.kvstore.clusters.region;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.time.Instant;

/** The round trip between two regions, as the database has it. */
@Entity
@Table(name = "round_trip")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class RoundTrip {
    /**
     * The round trip's key: its two regions.
     *
     * @param one the lesser name
     */
    @Embeddable
    public record Id(String one, String other) implements Serializable {
        static Id of(String a, String b) {
            return a.compareTo(b) < 0 ? new Id(a, b) : new Id(b, a);
        }
    }

    @EmbeddedId
    private Id id;

    private long micros;

    @Version
    private long version;

    protected RoundTrip() {}

    RoundTrip(Id id, Instant now) {
        this.id = id;
        this.version = Versions.first(now);
    }

    void update(long micros) {
        this.micros = micros;
    }

    Id id() {
        return id;
    }

    long micros() {
        return micros;
    }

    long version() {
        return version;
    }
}
