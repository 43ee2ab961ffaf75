package dev.kvstore.control.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The file in which a PostgreSQL says that it runs in a folder of data. It stays when that one is killed, and its
 * number may be another process's by then, also another PostgreSQL's. Stateless.
 */
final class PidFile {
    private static final String NAME = "postmaster.pid";
    private static final String DATA_FLAG = "-D";

    private PidFile() {}

    /**
     * Ends the PostgreSQL that still runs in a folder of data, and no other, and deletes the file.
     *
     * @throws IOException if it does not end in time, or if nobody can tell whether it runs there
     */
    static void endLeftOver(Path data, Duration patience) throws IOException, InterruptedException {
        Path file = data.resolve(NAME);
        if (!Files.exists(file)) {
            return;
        }
        Optional<ProcessHandle> process = process(Files.readAllLines(file));
        if (process.isPresent() && isPostgres(process.get()) && runsIn(data, process.get())) {
            end(process.get(), patience);
        }
        Files.deleteIfExists(file);
    }

    /** Empty if there is none any more, or if the file was cut short. */
    private static Optional<ProcessHandle> process(List<String> lines) {
        try {
            return lines.isEmpty()
                    ? Optional.empty()
                    : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.contains("postgres"))
                .isPresent();
    }

    /** Whether the folder is the one that its command line names. */
    private static boolean runsIn(Path data, ProcessHandle process) throws IOException {
        List<String> arguments = List.of(process.info()
                .arguments()
                .orElseThrow(() -> new IOException("process " + process.pid()
                        + " may be a PostgreSQL that runs there, and cannot be looked at: end it, or delete "
                        + data.resolve(NAME))));
        int flag = arguments.indexOf(DATA_FLAG);
        return flag >= 0 && flag + 1 < arguments.size() && isSame(data, arguments.get(flag + 1));
    }

    private static boolean isSame(Path data, String argument) {
        try {
            return Files.isSameFile(data, Path.of(argument));
        } catch (InvalidPathException | IOException e) {
            // It is not there, or not to be looked at by this user: ours is both.
            return false;
        }
    }

    private static void end(ProcessHandle process, Duration patience) throws IOException, InterruptedException {
        process.destroy();
        try {
            var _ = process.onExit().get(patience.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("process " + process.pid() + " of before does not end", e);
        }
    }
}
