package dev.kvstore.doctor.process;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.io.IOException;

/** Whether a data plane may open as many files as its settings allow it connections. */
record OpenFilesCheck(LocalProcess process) implements Check {
    private static final String CONNECTIONS = "1000";

    /** The files of a process that are no connections. */
    private static final int OTHERS = 500;

    @Override
    public String subject() {
        return process.subject();
    }

    @Override
    public CheckOutcome look() throws IOException {
        String limit =
                process.line("limits", "Max open files").orElse("unlimited").split("\\s+", -1)[0];
        long clients = Long.parseLong(process.setting("kvstore.max-connections").orElse(CONNECTIONS));
        // Connections to storage may take the other half.
        boolean enough = limit.equals("unlimited") || Long.parseLong(limit) / 2 >= clients + OTHERS;
        return enough
                ? CheckOutcome.SOUND
                : CheckOutcome.faulty(
                        FindingKind.OPEN_FILES,
                        subject(),
                        "it may open " + limit + " files, too few for " + clients
                                + " clients and connections to storage");
    }
}
