package dev.kvstore.control.server;

import dev.kvstore.admin.database.Vital;
import dev.kvstore.control.database.BadDatabaseException;
import dev.kvstore.control.database.Database;
import dev.kvstore.control.database.Migrations;
import dev.kvstore.control.security.AdminTokens;
import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.FirstLook;
import dev.kvstore.settings.OldFlags;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.OldProperties;
import dev.kvstore.settings.ParentWatch;
import dev.kvstore.settings.ProgramVariables;
import dev.kvstore.settings.SecretText;
import dev.kvstore.settings.TemporaryFolder;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * The control plane's process. The process exits with 1 if it cannot start, with 2 if its command line is wrong, with
 * 143 after SIGTERM and with 130 after SIGINT.
 */
@QuarkusMain
public final class ControlPlane {
    private static final int TOKEN_LENGTH = 16;

    private ControlPlane() {}

    public static void main(String... args) throws InterruptedException {
        // This must precede the first log line; where Quarkus starts first, Quarkus sets it.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        Flags flags = new Flags();
        try {
            // The library reports to standard error, like all errors of the command line.
            CommandLine line = FirstLook.on(new CommandLine(flags));
            CommandLine.ParseResult parsed =
                    line.parseArgs(FirstLook.arguments(line, OldFlags.replace(line, args, System.err::println)));
            if (CommandLine.printHelpIfRequested(parsed)) {
                return;
            }
            flags.settings().forEach(System::setProperty);
            OldProperties.accept(OldNames.CONTROL_PLANE, warning -> System.err.println("kv control-plane: " + warning));
            requireSettings();
            requireToken("KVSTORE_ADMIN_TOKEN", AdminTokens.PREFIX);
            requireToken("KVSTORE_JOIN_TOKEN", "");
        } catch (CommandLine.ParameterException | BadFlag | IllegalArgumentException e) {
            System.err.println("kv control-plane: " + Database.withoutPasswords(String.valueOf(e.getMessage())));
            System.err.println("kv control-plane --help-all explains every flag");
            System.exit(2);
        }
        TemporaryFolder.flaw().ifPresent(flaw -> System.err.println("kv control-plane: " + flaw));
        if (flags.endWithParent) {
            ParentWatch.start("kv control-plane");
        }
        try {
            settings(prepare(flags.jdbcUrl)).forEach(System::setProperty);
        } catch (BadDatabaseException e) {
            System.err.println("kv control-plane: " + e.getMessage());
            System.exit(1);
        }
        Quarkus.run(args);
    }

    /** Brings the schema of the database up to date. */
    private static Database prepare(String jdbcUrl) throws BadDatabaseException, InterruptedException {
        boolean hasOwnFile = Files.exists(Path.of(System.getProperty("user.home"), ".postgresql", "root.crt"));
        Database database = Database.of(
                FarEnds.withAuthorities(jdbcUrl, hasOwnFile),
                variable("KVSTORE_DB_USER"),
                variable("KVSTORE_DB_PASSWORD"));
        Migrations.run(database);
        return database;
    }

    /**
     * Refuses wrong settings here: the application's own answer would be a stack trace. A variable that no program knows
     * is a slip, and its setting would silently not apply.
     */
    private static void requireSettings() throws BadFlag {
        SmallRyeConfigBuilder sources = new SmallRyeConfigBuilder().addDefaultSources();
        List<String> flaws = new ArrayList<>(ControlPlaneSettings.DECLARED.flaws(sources.build()));
        ProgramVariables.unknown(System.getenv()).forEach(name -> flaws.add(name + ": there is no such setting"));
        if (flaws.isEmpty()) {
            String flaw = FarEnds.issuerFlaw(ControlPlaneSettings.DECLARED.read(sources));
            flaws.addAll(flaw == null ? List.of() : List.of(flaw));
        }
        if (!flaws.isEmpty()) {
            throw new BadFlag(String.join("; ", flaws));
        }
    }

    /** Refuses a token that can be guessed, and a token that no call can carry. */
    private static void requireToken(String name, String prefix) throws BadFlag {
        String token = variable(name);
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new BadFlag(name + ": must have visible ASCII characters alone, and no spaces");
        }
        if (!token.isEmpty() && (!token.startsWith(prefix) || token.length() < prefix.length() + TOKEN_LENGTH)) {
            throw new BadFlag(name + ": must be " + (prefix.isEmpty() ? "" : prefix + " and ") + "at least "
                    + TOKEN_LENGTH + " characters" + (prefix.isEmpty() ? "" : " more"));
        }
    }

    private static String variable(String name) {
        @Nullable String value = System.getenv(name);
        return value == null ? "" : SecretText.of(value);
    }

    /** The settings by which the application reaches its database. */
    public static Map<String, String> settings(Database database) {
        Map<String, String> settings = new HashMap<>();
        for (String pool : List.of("quarkus.datasource.", "quarkus.datasource." + Vital.POOL + ".")) {
            settings.put(pool + "jdbc.url", database.url());
            settings.put(pool + "username", database.user());
            settings.put(pool + "password", database.password());
            if (!database.keyPassword().isEmpty()) {
                settings.put(pool + "jdbc.additional-jdbc-properties.sslpassword", database.keyPassword());
            }
        }
        return Map.copyOf(settings);
    }
}
