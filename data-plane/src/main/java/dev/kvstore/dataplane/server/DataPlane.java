package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountsFile;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import dev.kvstore.dataplane.memory.OwnNode;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.EarlySettings;
import dev.kvstore.dataplane.server.settings.Flags;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.FirstLook;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.OldProperties;
import dev.kvstore.settings.ParentWatch;
import dev.kvstore.settings.TemporaryFolder;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * The data plane's process. Exits 1 when it cannot start, 2 when its command line, a setting or its accounts are wrong;
 * when it is told to stop, with the JVM's status for the signal: 143 after SIGTERM, 130 after SIGINT.
 */
@QuarkusMain
public final class DataPlane {
    private DataPlane() {}

    public static void main(String... args) {
        // The log manager is set before anything logs; where Quarkus starts first, it does this.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        Flags flags = new Flags();
        CommandLine commandLine = FirstLook.on(new CommandLine(flags));
        try {
            CommandLine.ParseResult parsed = commandLine.parseArgs(FirstLook.arguments(commandLine, args));
            if (CommandLine.printHelpIfRequested(parsed)) {
                return;
            }
            // Warnings go to standard error: the default log level shows none.
            Consumer<String> warn = warning -> System.err.println("kv node: " + warning);
            flags.settings(warn).forEach(System::setProperty);
            OldProperties.accept(OldNames.DATA_PLANE, warn);
            check(flags);
        } catch (CommandLine.ParameterException | BadFlag | IllegalArgumentException e) {
            System.err.println("kv node: " + e.getMessage());
            System.err.println("kv node --help-all explains every flag");
            System.exit(2);
        }
        // The node is bound before other threads are started, which inherit the binding.
        OwnNode.bind(ProcessMemory.ofThisProcess().physicalBytes())
                .ifPresent(bound -> System.err.println("kv node: " + bound));
        TemporaryFolder.flaw().ifPresent(flaw -> System.err.println("kv node: " + flaw));
        if (flags.endWithParent) {
            ParentWatch.start("kv node");
        }
        Quarkus.run(ServingApplication.class, args);
    }

    /** Checks settings and files before anything listens, so that a flaw is all that is printed. */
    private static void check(Flags flags) throws BadFlag {
        DataPlaneSettings settings = checkMemory(flags);
        Optional<ListenerTls> tls;
        try {
            tls = ListenerTlsFiles.open(settings, InstantSource.system());
        } catch (BadPemException e) {
            throw new BadFlag(e.flaw());
        }
        String diskFlaw = LocalDisk.flaw(settings);
        if (diskFlaw != null) {
            throw new BadFlag(diskFlaw);
        }
        EarlySettings.checkVariables(System.getenv(), checkTenants(settings, tls));
    }

    /** Variables that storage credentials are known to be in. */
    private static Set<String> checkTenants(DataPlaneSettings settings, Optional<ListenerTls> tls) throws BadFlag {
        if (settings.accounts().isEmpty()) {
            String flaw = ControlPlaneLink.flaw(settings);
            if (flaw != null) {
                throw new BadFlag(flaw);
            }
            try {
                ControlPlaneLink.open(settings, tls, System.getenv()).close();
            } catch (BadPemException e) {
                throw new BadFlag(e.flaw());
            }
            return Set.of();
        }
        List<InMemoryAccountResolver.Tenant> tenants =
                AccountsFile.read(settings.accounts().get(), settings.blobDnsSuffix());
        new InMemoryAccountResolver(tenants);
        return tenants.stream()
                .flatMap(tenant -> tenant.credentialVariables().stream())
                .collect(Collectors.toSet());
    }

    private static DataPlaneSettings checkMemory(Flags flags) throws BadFlag {
        ProcessMemory memory = ProcessMemory.ofThisProcess();
        DataPlaneSettings settings = EarlySettings.check(sources());
        String place = "";
        if (flags.numaMemory != null) {
            memory = memory.within(flags.numaMemory);
            place = "NUMA node " + flags.numaNode + ": ";
            if (!EarlySettings.isGiven(sources(), "kvstore.memory-tier-size")) {
                System.setProperty("kvstore.memory-tier-size", Long.toString(memory.memoryTierBytes(settings)));
                settings = EarlySettings.check(sources());
            }
        }
        String flaw = memory.flaw(settings);
        if (flaw != null) {
            throw new BadFlag(place + flaw);
        }
        return settings;
    }

    private static SmallRyeConfigBuilder sources() {
        return new SmallRyeConfigBuilder().addDefaultSources();
    }
}
