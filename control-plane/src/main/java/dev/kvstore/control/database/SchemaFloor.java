package dev.kvstore.control.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * The oldest versions that can use the schemas. While a cluster is upgraded, and after it was rolled back, a control
 * plane meets a schema that is newer than itself. It can use that one as long as migrations only add. A migration that
 * does more than add raises the floor to its own number, in its own script:
 *
 * <pre>
 * insert into schema_floor values ('account', 12) on conflict (room) do update set least = excluded.least;
 * </pre>
 *
 * @param least by the name of the schema, the number of the migration that a control plane must know at least
 */
record SchemaFloor(Map<String, Integer> least) {
    SchemaFloor {
        least = Map.copyOf(least);
    }

    /** Makes the table. The table belongs to no schema's migrations, since each of them may write to it. */
    static void make(Statement statement) throws SQLException {
        statement.execute("create table if not exists schema_floor (room text primary key, least integer not null)");
    }

    static SchemaFloor read(Statement statement) throws SQLException {
        Map<String, Integer> least = new HashMap<>();
        try (ResultSet rows = statement.executeQuery("select room, least from schema_floor")) {
            while (rows.next()) {
                least.put(rows.getString("room"), rows.getInt("least"));
            }
        }
        return new SchemaFloor(least);
    }

    /** The number of the migration that a control plane must know at least; 0 for any. */
    int of(String room) {
        return least.getOrDefault(room, 0);
    }
}
