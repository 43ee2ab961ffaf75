package dev.kvstore.admin.refusal;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.Nullable;

/** A refusal, as the database has it. */
@Entity
@Immutable
@Table(name = "refusal")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
class Refusal {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    private Instant at;
    private String actor;
    private @Nullable String role;
    private @Nullable String tenant;
    private String what;
    private String reason;

    protected Refusal() {}

    Refusal(Instant at, RefusedAction refused) {
        this.at = at;
        this.actor = refused.actor();
        this.role = refused.role();
        this.tenant = refused.tenant();
        this.what = refused.what();
        this.reason = refused.reason();
    }

    long id() {
        return id;
    }

    RefusalView view() {
        return new RefusalView(id, at, actor, role, tenant, what, reason);
    }
}
