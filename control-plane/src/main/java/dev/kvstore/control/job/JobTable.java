package dev.kvstore.control.job;

import dev.kvstore.admin.database.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table of a kind of job. It has the columns {@code id}, {@code resource_name}, {@code tenant}, {@code state} and
 * {@code ended_at}. Methods join the caller's transaction, if there is one. Thread-safe.
 */
public abstract class JobTable {
    /** The condition, order and limit of a page, with the parameters of {@link JobQuery#page}. */
    protected static final String PAGE = """
            where (:before = '' or id < :before) and (cast(:tenant as text) is null or tenant = :tenant)
            and (cast(:resourceName as text) is null or resource_name = :resourceName)
            and (cast(:state as text) is null or state = :state)
            order by id desc limit :limit""";

    protected final DataSource database;
    private final String table;
    private final String open;
    private final Duration kept;

    /**
     * @param open the SQL condition of jobs that are not over
     * @param kept the time for which a job is kept after its end
     */
    protected JobTable(DataSource database, String table, String open, Duration kept) {
        this.database = database;
        this.table = table;
        this.open = open;
        this.kept = kept;
    }

    /**
     * The jobs to find; null for any.
     *
     * @param tenant the owner
     */
    public record JobQuery(
            @Nullable String tenant,
            @Nullable String resourceName,
            @Nullable Enum<?> state) {
        /** Gives the parameters of a page their values: the jobs before an id, the latest first. */
        public Sql page(Sql page, String before, int limit) {
            return page.with(this).with("before", before).with("limit", limit);
        }
    }

    /** The ids of the jobs of an account that are not over. */
    public final List<String> openOf(String resourceName) throws SQLException {
        return select("id", "resource_name = :value and " + open + " order by id", resourceName)
                .list(String.class);
    }

    /** The number of jobs of all accounts of a tenant that are not over. */
    public final long openOfTenant(String tenant) throws SQLException {
        return select("count(*)", "tenant = :value and " + open, tenant).only(Long.class);
    }

    /** The number of kept jobs of a tenant. */
    public final long ofTenant(String tenant) throws SQLException {
        return select("count(*)", "tenant = :value", tenant).only(Long.class);
    }

    /** The number of kept jobs of an account. */
    public final long ofAccount(String resourceName) throws SQLException {
        return select("count(*)", "resource_name = :value", resourceName).only(Long.class);
    }

    private Sql select(String columns, String where, String value) {
        return Sql.on(database, "select " + columns + " from " + table + " where " + where)
                .with("value", value);
    }

    /** Forgets jobs that ended long ago. */
    public void forget() throws SQLException {
        var _ = Sql.on(database, "delete from " + table + " where ended_at < now() - make_interval(secs => :kept)")
                .with("kept", kept)
                .run();
    }
}
