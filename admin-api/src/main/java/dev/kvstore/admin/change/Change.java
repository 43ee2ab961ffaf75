package dev.kvstore.admin.change;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** One change, as it is kept: never changed itself. Numbers go up in the order in which changes took effect. */
@Entity
@Immutable
@Table(name = "change")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Change {
    @Id
    private long id;

    private Instant at;
    private String actor;
    private String role;
    private @Nullable String tenant;
    private String action;
    private String kind;
    private String name;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String before;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String after;

    @Column(name = "key_ids")
    private List<String> keyIds;

    @Column(name = "resource_names")
    private List<String> resourceNames;

    protected Change() {}

    /** As data planes are told it: without what was there before and after, and without who made it. */
    Change(long id, String kind, List<String> keyIds, List<String> resourceNames) {
        this.id = id;
        this.kind = kind;
        this.keyIds = keyIds;
        this.resourceNames = resourceNames;
    }

    public long id() {
        return id;
    }

    public Instant at() {
        return at;
    }

    /** Who made it. */
    public String actor() {
        return actor;
    }

    public String role() {
        return role;
    }

    /** To whom belongs what was changed; null if to no tenant. */
    public @Nullable String tenant() {
        return tenant;
    }

    /** Such as {@code create}. */
    public String action() {
        return action;
    }

    /** Of what was changed, such as {@code account}. */
    public String kind() {
        return kind;
    }

    /** Of what was changed. */
    public String name() {
        return name;
    }

    /** JSON; null if it was not there. */
    public @Nullable String before() {
        return before;
    }

    /** JSON; null if it is not there any more. */
    public @Nullable String after() {
        return after;
    }

    /** Keys whose rights it changed. */
    public List<String> keyIds() {
        return keyIds;
    }

    /** Resources for which it changed who may do what, or where they are. */
    public List<String> resourceNames() {
        return resourceNames;
    }
}
