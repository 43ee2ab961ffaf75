package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountsFile;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import picocli.CommandLine;

/** The data plane's process. Exits 0 after a stop, 1 when it cannot start, 2 when its command line is wrong. */
@QuarkusMain
public final class DataPlane {
    private DataPlane() {}

    public static void main(String... args) {
        Flags flags = new Flags();
        CommandLine commandLine = new CommandLine(flags);
        try {
            CommandLine.ParseResult parsed = commandLine.parseArgs(args);
            if (CommandLine.printHelpIfRequested(parsed)) {
                return;
            }
            flags.settings().forEach(System::setProperty);
            // Before anything listens, so that a flaw is all that is printed.
            String flaw = MachineMemory.ofThisProcess().flaw(EarlySettings.read());
            if (flaw != null) {
                throw new Flags.BadFlag(flaw);
            }
            new InMemoryAccountResolver(AccountsFile.read(flags.accounts, flags.blobDnsSuffix));
        } catch (CommandLine.ParameterException | Flags.BadFlag | IllegalArgumentException e) {
            System.err.println("kv node: " + e.getMessage());
            System.err.println("kv node --help explains every flag");
            System.exit(2);
        }
        Quarkus.run(args);
    }
}
