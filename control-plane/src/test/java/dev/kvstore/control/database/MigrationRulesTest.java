package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migrations only add, or raise the floor: the control plane of the version before goes on beside the new one. */
class MigrationRulesTest {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

    /** The newest migrations of before the rule. */
    private static final Map<String, Integer> BEFORE =
            Map.of("change", 2, "account", 9, "cluster", 6, "warming", 6, "purge", 1);

    private static final Pattern SCRIPT = Pattern.compile(".*/db/(\\w+)/V(\\d+)__\\w+\\.sql");

    /**
     * Statements after which a control plane that does not know of them may fail: its rows or its columns are not as it
     * left them.
     */
    private static final Pattern MORE_THAN_ADDS = Pattern.compile(
            "\\bdrop\\b|\\brename\\b|\\btruncate\\b|\\bset not null\\b|\\balter column \\w+ (set data )?type\\b"
                    + "|\\badd column (?![^;]*\\bdefault\\b)[^;,]*\\bnot null\\b|\\badd (constraint|check|unique|primary|foreign)\\b"
                    + "|\\bcreate unique index\\b|\\bdelete from\\b|\\bupdate \\w+ set\\b");

    private static boolean isKept(String room, int version, String script) {
        String sql = script.replaceAll("--.*", "").replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        boolean raises = sql.contains("insert into schema_floor values ('" + room + "', " + version + ")");
        // No earlier version knows the tables that the script makes itself.
        String onItsOwn = sql.replaceAll("create unique index \\w+ on (\\w+)", "create unique index on $1");
        for (Matcher made = Pattern.compile("create (?:unlogged )?table (\\w+)").matcher(sql); made.find(); ) {
            onItsOwn = onItsOwn.replaceAll("create unique index on " + made.group(1) + "\\b", "");
        }
        return raises || !MORE_THAN_ADDS.matcher(onItsOwn).find();
    }

    @Test
    void everyMigrationIsOne() throws IOException {
        List<Path> scripts;
        try (Stream<Path> files = Files.find(
                CHECKOUT,
                8,
                (file, _) -> SCRIPT.matcher(file.toString()).matches()
                        && file.toString().contains("/src/main/"))) {
            scripts = files.toList();
        }

        assertThat(scripts).hasSizeGreaterThan(20);
        for (Path script : scripts) {
            Matcher name = SCRIPT.matcher(script.toString());
            assertThat(name.matches()).isTrue();
            int version = Integer.parseInt(name.group(2));
            if (version > BEFORE.getOrDefault(name.group(1), 0)) {
                assertThat(isKept(name.group(1), version, Files.readString(script)))
                        .as("%s does more than add, so it must raise the floor (docs/operations/upgrades.md)", script)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table account add column x text;",
                "alter table account add column x bigint not null default 0;",
                "create table y (id text primary key, z text not null); create unique index y_z on y (z);",
                "create index account_x on account (tenant); -- drop nothing",
                "alter table a rename column b to c; insert into schema_floor values ('account', 10);"
            })
    void thatAddsOrRaisesTheFloor(String script) {
        assertThat(isKept("account", 10, script)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table account drop column x;",
                "alter table account rename to accounts;",
                "alter table account add column x bigint not null;",
                "alter table account alter column x set not null;",
                "alter table account alter column x type bigint;",
                "alter table account alter column x drop default;",
                "alter table account add constraint c check (x > 0);",
                "create unique index account_x on account (x);",
                "delete from placement;",
                "update replica set endpoint = '';",
                "alter table a rename column b to c; insert into schema_floor values ('cluster', 10);"
            })
    void andNothingElse(String script) {
        assertThat(isKept("account", 10, script)).isFalse();
    }
}
