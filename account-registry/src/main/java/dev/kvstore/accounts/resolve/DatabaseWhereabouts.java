package dev.kvstore.accounts.resolve;

import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Answers from the registry in which regions an account may be served, by one statement. Thread-safe. */
@ApplicationScoped
public class DatabaseWhereabouts {
    /** The query for a row for each placement, at least one row. */
    private static final String QUESTION = """
            select a.tenant, a.home_region, a.allowed_regions, a.avoided_regions, a.version,
                array(select region from replica r where r.resource_name = a.resource_name
                    and (r.state = 'READY' or (r.proven and r.state = 'UNPROVEN')) order by region) as served,
                p.region, p.cluster, p.pinned, p.automatic
            from account a left join placement p using (resource_name)
            where a.resource_name = :name and a.state = 'ACTIVE'
            """;

    private final DataSource database;

    DatabaseWhereabouts(DataSource database) {
        this.database = database;
    }

    /**
     * The serving regions of an account; empty if there is no such account.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public Optional<ServingRegions> of(String resourceName) {
        return DatabaseQuery.answer(
                () -> Sql.on(database, QUESTION).with("name", resourceName).first(DatabaseWhereabouts::read));
    }

    private record AccountRegions(
            String tenant,
            String homeRegion,
            List<String> allowedRegions,
            List<String> avoidedRegions,
            List<String> served,
            long version) {}

    /** Reads this row and all further ones. */
    private static ServingRegions read(ResultSet row) throws SQLException {
        AccountRegions account = Sql.record(row, AccountRegions.class);
        List<ServingRegions.RegionPlacement> places = new ArrayList<>();
        do {
            if (row.getString("cluster") != null) {
                places.add(Sql.record(row, ServingRegions.RegionPlacement.class));
            }
        } while (row.next());
        return new ServingRegions(
                account.tenant(),
                account.homeRegion(),
                account.allowedRegions(),
                account.avoidedRegions(),
                account.served(),
                places,
                account.version());
    }
}
