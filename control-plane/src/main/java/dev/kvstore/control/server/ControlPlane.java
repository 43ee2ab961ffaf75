package dev.kvstore.control.server;

import dev.kvstore.admin.database.Vital;
import dev.kvstore.control.database.BadDatabaseException;
import dev.kvstore.control.database.Database;
import dev.kvstore.control.database.Migrations;
import dev.kvstore.control.security.AdminTokens;
import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.settings.FirstLook;
import dev.kvstore.settings.OldFlags;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.OldProperties;
import dev.kvstore.settings.ProgramVariables;
import dev.kvstore.settings.SecretText;
import dev.kvstore.settings.TemporaryFolder;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
            requireKnown(ProgramVariables.unknown(System.getenv()));
            String flaw = FarEnds.issuerFlaw(System.getenv(), System.getProperties());
            if (flaw != null) {
                throw new Flags.BadFlag(flaw);
            }
            requireBalancers();
            requireToken("KVSTORE_ADMIN_TOKEN", AdminTokens.PREFIX);
            requireToken("KVSTORE_JOIN_TOKEN", "");
        } catch (CommandLine.ParameterException | Flags.BadFlag | IllegalArgumentException e) {
            System.err.println("kv control-plane: " + Database.withoutPasswords(String.valueOf(e.getMessage())));
            System.err.println("kv control-plane --help-all explains every flag");
            System.exit(2);
        }
        TemporaryFolder.flaw().ifPresent(flaw -> System.err.println("kv control-plane: " + flaw));
        if (flags.endWithParent) {
            Thread.ofPlatform().daemon().name("end-with-parent").start(ControlPlane::endWithParent);
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

    /** Refuses variables that no program knows: such a variable is a slip, and its setting would silently not apply. */
    private static void requireKnown(List<String> unknown) throws Flags.BadFlag {
        if (!unknown.isEmpty()) {
            throw new Flags.BadFlag(String.join(
                    "; ",
                    unknown.stream()
                            .map(name -> name + ": there is no such setting")
                            .toList()));
        }
    }

    /** Refuses wrong balancer addresses here: the application's own answer would be a stack trace. */
    private static void requireBalancers() throws Flags.BadFlag {
        String given = System.getProperty("kvstore.proxy-protocol-from", System.getenv("KVSTORE_PROXY_PROTOCOL_FROM"));
        try {
            var _ = BalancerAddresses.of(given == null ? BalancerAddresses.NO_ADDRESS : given);
        } catch (IllegalArgumentException e) {
            throw new Flags.BadFlag(
                    "KVSTORE_PROXY_PROTOCOL_FROM: cannot be \"" + given + "\"; give " + BalancerAddresses.SHAPE);
        }
    }

    /** Refuses a token that can be guessed, and a token that no call can carry. */
    private static void requireToken(String name, String prefix) throws Flags.BadFlag {
        String token = variable(name);
        if (!token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new Flags.BadFlag(name + ": must have visible ASCII characters alone, and no spaces");
        }
        if (!token.isEmpty() && (!token.startsWith(prefix) || token.length() < prefix.length() + TOKEN_LENGTH)) {
            throw new Flags.BadFlag(name + ": must be " + (prefix.isEmpty() ? "" : prefix + " and ") + "at least "
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

    /**
     * Ends this process when its parent is gone: the parent holds a pipe to standard input, which ends with the parent
     * in any case.
     */
    private static void endWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println(
                    "kv control-plane: standard input cannot be read, and counts as ended: " + e.getMessage());
        }
        // This works like SIGTERM: Quarkus stops in its shutdown hook.
        System.exit(0);
    }
}
