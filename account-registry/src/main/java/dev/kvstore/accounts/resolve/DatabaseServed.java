package dev.kvstore.accounts.resolve;

import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/** Answers from the registry which accounts are served in a cluster's region, by one statement. Thread-safe. */
@ApplicationScoped
public class DatabaseServed {
    /** The query. An account that is pinned to one cluster of the region is not served by another. */
    private static final String QUESTION = """
            select a.resource_name from account a
            where a.resource_name = any(:names) and a.state = 'ACTIVE'
            and (cardinality(a.allowed_regions) = 0 or :region = any(a.allowed_regions))
            and (exists (select from replica r where r.resource_name = a.resource_name and r.region = :region)
                or exists (select from placement p where p.resource_name = a.resource_name and p.region = :region))
            and not exists (select from placement p where p.resource_name = a.resource_name and p.region = :region
                and p.pinned and p.cluster <> :cluster)
            """;

    private final DataSource database;

    DatabaseServed(DataSource database) {
        this.database = database;
    }

    /**
     * The names of those given accounts that have a storage or a placement in a region, may be served there, and are
     * not pinned to another cluster of the region.
     *
     * @param resourceNames of any content
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public Set<String> of(Collection<String> resourceNames, String region, String cluster) {
        return new HashSet<>(DatabaseQuery.answer(() -> Sql.on(database, QUESTION)
                .array("names", "text", resourceNames)
                .with("region", region)
                .with("cluster", cluster)
                .list(String.class)));
    }
}
