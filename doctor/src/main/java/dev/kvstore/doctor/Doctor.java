package dev.kvstore.doctor;

import dev.kvstore.launcher.CommandLines;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;

/** The entry point of {@code kv doctor}. */
public final class Doctor {
    // What a channel warns of is in the finding. The logger is held, or its level would be forgotten.
    private static final Logger CHANNELS = Logger.getLogger("io.grpc");

    private Doctor() {}

    public static void main(String[] arguments) {
        CHANNELS.setLevel(Level.SEVERE);
        System.exit(CommandLines.execute(commandLine(System.getenv()), arguments));
    }

    /** The command line, for an environment in place of this process's. */
    public static CommandLine commandLine(Map<String, String> environment) {
        return CommandLines.of(new DoctorCommand(environment));
    }
}
