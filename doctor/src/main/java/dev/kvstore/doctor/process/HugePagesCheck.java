package dev.kvstore.doctor.process;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether blocks may lie on transparent huge pages. */
record HugePagesCheck(LocalProcess process) implements Check {
    @Override
    public String subject() {
        return "huge pages";
    }

    @Override
    public CheckOutcome look() throws IOException {
        Path mode = process.root().resolve("sys/kernel/mm/transparent_hugepage/enabled");
        return Files.exists(mode) && Files.readString(mode).contains("[never]")
                ? CheckOutcome.faulty(FindingKind.HUGE_PAGES_OFF, subject(), "are off: disks are read half as fast")
                : CheckOutcome.SOUND;
    }
}
