package dev.kvstore.launcher;

import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point behind {@code kv}'s own verbs. */
@Command(name = "kv", description = "KV Store: local stacks", subcommands = UpCommand.class)
public final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) {
        System.exit(commandLine(new Launcher()).execute(arguments));
    }

    /**
     * A command line whose failures are messages: exit code 2 for what the user can correct in the command, 1 for the
     * rest.
     */
    public static CommandLine commandLine(Object command) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println("kv: " + message(failure));
                    return failure instanceof IllegalArgumentException
                            ? CommandLine.ExitCode.USAGE
                            : CommandLine.ExitCode.SOFTWARE;
                });
    }

    private static String message(Throwable failure) {
        if (failure instanceof IOException io) {
            return IoReason.withFile(io);
        }
        boolean forUsers = failure instanceof LaunchException || failure instanceof IllegalArgumentException;
        String message = failure.getMessage();
        return forUsers && message != null ? message : failure.toString();
    }
}
