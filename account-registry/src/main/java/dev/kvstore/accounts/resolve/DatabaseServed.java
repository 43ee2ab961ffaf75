package dev.kvstore.accounts.resolve;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
            where a.resource_name = any(?) and a.state = 'ACTIVE'
            and (cardinality(a.allowed_regions) = 0 or ? = any(a.allowed_regions))
            and (exists (select from replica r where r.resource_name = a.resource_name and r.region = ?)
                or exists (select from placement p where p.resource_name = a.resource_name and p.region = ?))
            and not exists (select from placement p where p.resource_name = a.resource_name and p.region = ?
                and p.pinned and p.cluster <> ?)
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
        Set<String> served = new HashSet<>();
        try (Connection connection = database.getConnection();
                PreparedStatement question = connection.prepareStatement(QUESTION)) {
            question.setArray(1, connection.createArrayOf("text", resourceNames.toArray()));
            for (int i = 2; i <= 5; i++) {
                question.setString(i, region);
            }
            question.setString(6, cluster);
            try (ResultSet row = question.executeQuery()) {
                while (row.next()) {
                    served.add(row.getString(1));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
        return served;
    }
}
