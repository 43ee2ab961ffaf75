package dev.kvstore.endtoend;

import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.admin.AdminCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;

/** {@code kv admin} in this JVM: the same command line, without the second that the start of a process takes. */
final class Admin {
    private Admin() {}

    /** Runs it to its end. */
    static Kv.KvResult run(String url, Path tokenFile, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = CommandLines.of(new AdminCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of(words), Stream.of("--url", url, "--token-file", tokenFile.toString()))
                        .toArray(String[]::new));
        return new Kv.KvResult(exitCode, out.toString(), err.toString());
    }
}
