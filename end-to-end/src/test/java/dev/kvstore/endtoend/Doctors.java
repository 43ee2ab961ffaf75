package dev.kvstore.endtoend;

import dev.kvstore.doctor.Doctor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** {@code kv doctor} in this JVM: the same command line, without the start of a process. */
final class Doctors {
    private Doctors() {}

    /** Runs it to its end, with these variables in place of this JVM's. */
    static Kv.KvResult run(Map<String, String> environment, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Doctor.commandLine(environment)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
        return new Kv.KvResult(exitCode, out.toString(), err.toString());
    }
}
