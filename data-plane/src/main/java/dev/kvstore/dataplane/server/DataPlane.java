package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountsFile;
import dev.kvstore.dataplane.account.InMemoryAccountResolver;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.io.OutputStream;
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
        if (flags.endWithParent) {
            Thread.ofPlatform().daemon().name("end-with-parent").start(DataPlane::endWithParent);
        }
        Quarkus.run(args);
    }

    /** Whoever started this process holds a pipe to it, which ends when they are gone, however that came about. */
    private static void endWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println("kv node: standard input cannot be read, and counts as ended: " + e.getMessage());
        }
        // As after SIGTERM: Quarkus stops in its shutdown hook.
        System.exit(0);
    }
}
