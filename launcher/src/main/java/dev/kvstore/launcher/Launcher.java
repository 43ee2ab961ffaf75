package dev.kvstore.launcher;

import dev.kvstore.launcher.admin.AdminCommand;
import dev.kvstore.launcher.admin.AdminException;
import dev.kvstore.launcher.numa.NodeCommand;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.terraform.TerraformCommand;
import dev.kvstore.settings.FirstLook;
import dev.kvstore.settings.OldFlags;
import java.io.IOException;
import java.util.Objects;
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
            TerraformCommand.class
        })
public final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) {
        System.exit(execute(commandLine(), arguments));
    }

    /** Runs a command line, which may have old names of flags, and returns the exit code. */
    public static int execute(CommandLine line, String[] arguments) {
        return line.execute(FirstLook.arguments(line, OldFlags.replace(line, arguments, line.getErr()::println)));
    }

    /** The command line of {@code kv}, with the commands that this program serves. */
    public static CommandLine commandLine() {
        return commandLine(new Launcher());
    }

    /**
     * A command line whose failures are messages: exit code 2 for errors that the user can correct in the command, 1
     * for all others.
     */
    public static CommandLine commandLine(Object command) {
        return FirstLook.on(new CommandLine(command))
                .registerConverter(StorageKind.class, new EnumConverter<>(StorageKind.class))
                .setParameterExceptionHandler((failure, _) -> refuse(failure.getCommandLine(), failure))
                .setExecutionExceptionHandler((failure, line, _) -> {
                    if (failure instanceof IllegalArgumentException) {
                        return refuse(line, failure);
                    }
                    line.getErr().println("kv: " + message(failure));
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    /** Prints the error in the command and the way to its help, but not the help itself, which would hide the error. */
    private static int refuse(CommandLine line, Exception failure) {
        String name = line.getCommandSpec().qualifiedName();
        line.getErr().println(name + ": " + Objects.requireNonNullElse(failure.getMessage(), failure.toString()));
        line.getErr().println(name + " --help-all explains every flag");
        return CommandLine.ExitCode.USAGE;
    }

    private static String message(Exception failure) {
        return switch (failure) {
            case IOException io -> IoReason.withFile(io);
            case AdminException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            case LaunchException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            default -> failure.toString();
        };
    }
}
