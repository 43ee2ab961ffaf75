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

/** A change in the change log; it is never modified. Numbers increase in the order in which changes took effect. */
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

    /** A change for data planes: without the values before and after, and without its author. */
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

    /** The author of the change. */
    public String actor() {
        return actor;
    }

    public String role() {
        return role;
    }

    /** The tenant that owns the changed resource; null if none does. */
    public @Nullable String tenant() {
        return tenant;
    }

    /** The action, such as {@code create}. */
    public String action() {
        return action;
    }

    /** The kind of the changed resource, such as {@code account}. */
    public String kind() {
        return kind;
    }

    /** The name of the changed resource. */
    public String name() {
        return name;
    }

    /** The resource before, as JSON; null if it did not exist. */
    public @Nullable String before() {
        return before;
    }

    /** The resource afterwards, as JSON; null if it no longer exists. */
    public @Nullable String after() {
        return after;
    }

    /** Keys whose rights the change concerns. */
    public List<String> keyIds() {
        return keyIds;
    }

    /** Resources whose rights or storage the change concerns. */
    public List<String> resourceNames() {
        return resourceNames;
    }
}
