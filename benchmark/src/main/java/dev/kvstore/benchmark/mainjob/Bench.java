package dev.kvstore.benchmark.mainjob;

import dev.kvstore.launcher.Launcher;
import picocli.CommandLine.Command;

/** {@code kv bench}: what can be measured. */
@Command(
        name = "kv bench",
        description = "Measures KV Store on this machine.",
        subcommands = MainJob.class,
        mixinStandardHelpOptions = true)
public final class Bench {
    private Bench() {}

    public static void main(String[] arguments) {
        System.exit(Launcher.commandLine(new Bench()).execute(arguments));
    }
}
