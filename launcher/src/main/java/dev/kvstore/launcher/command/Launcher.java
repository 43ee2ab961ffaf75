package dev.kvstore.launcher.command;

import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.admin.AdminCommand;
import dev.kvstore.launcher.numa.NodeCommand;
import dev.kvstore.launcher.terraform.TerraformCommand;
import dev.kvstore.launcher.top.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point behind {@code kv}'s own verbs. */
@Command(
        name = "kv",
        description = "KV Store: processes of this machine",
        subcommands = {
            UpCommand.class,
            DatabaseCommand.class,
            NodeCommand.class,
            AdminCommand.class,
            TerraformCommand.class,
            TopCommand.class
        })
public final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) {
        System.exit(CommandLines.execute(commandLine(), arguments));
    }

    /** The command line of {@code kv}, as far as this program serves it. */
    public static CommandLine commandLine() {
        return CommandLines.of(new Launcher());
    }
}
