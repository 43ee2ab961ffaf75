package dev.kvstore.accounts.resolve;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
            where a.resource_name = ? and a.state = 'ACTIVE'
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
        try (Connection connection = database.getConnection();
                PreparedStatement question = connection.prepareStatement(QUESTION)) {
            question.setString(1, resourceName);
            try (ResultSet rows = question.executeQuery()) {
                return rows.next() ? Optional.of(read(rows)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    private static ServingRegions read(ResultSet row) throws SQLException {
        String tenant = row.getString("tenant");
        String home = row.getString("home_region");
        List<String> allowed = names(row.getArray("allowed_regions"));
        List<String> avoided = names(row.getArray("avoided_regions"));
        List<String> replicas = names(row.getArray("served"));
        long version = row.getLong("version");
        List<ServingRegions.RegionPlacement> places = new ArrayList<>();
        do {
            if (row.getString("cluster") != null) {
                places.add(new ServingRegions.RegionPlacement(
                        row.getString("region"),
                        row.getString("cluster"),
                        row.getBoolean("pinned"),
                        row.getBoolean("automatic")));
            }
        } while (row.next());
        return new ServingRegions(tenant, home, allowed, avoided, replicas, places, version);
    }

    private static List<String> names(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }
}
