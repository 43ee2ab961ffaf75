package dev.kvstore.launcher;

import dev.kvstore.settings.FirstLook;
import dev.kvstore.settings.OldFlags;
import java.io.IOException;
import java.util.Objects;
import picocli.CommandLine;

/** Command lines whose failures are messages. Stateless. */
public final class CommandLines {
    private CommandLines() {}

    /** Runs what a command line says, old names of flags among it; the exit code. */
    public static int execute(CommandLine line, String[] arguments) {
        return line.execute(FirstLook.arguments(line, OldFlags.replace(line, arguments, line.getErr()::println)));
    }

    /** Of a command. Exit code 2 is for a flaw that the user can correct in the command, 1 for the rest. */
    public static CommandLine of(Object command) {
        return FirstLook.on(new CommandLine(command))
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
            case LaunchException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            default -> failure.toString();
        };
    }
}
