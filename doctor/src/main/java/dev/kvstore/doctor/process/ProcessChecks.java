package dev.kvstore.doctor.process;

import dev.kvstore.doctor.environment.SettingNames;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.nio.file.Files;
import java.util.List;

/** All checks of a process. Stateless. */
public final class ProcessChecks {
    private ProcessChecks() {}

    /** The checks; one finding if there is no such process, or if it may not be looked at. */
    public static List<Check> of(LocalProcess process) {
        if (!Files.isReadable(process.file("environ"))) {
            return List.of(new AbsentProcess(process));
        }
        return List.of(
                new SettingNames(process.variables()),
                new StatePathCheck(process),
                new ContainerMemoryCheck(process),
                new OpenFilesCheck(process),
                new HugePagesCheck(process),
                new BoundNodeCheck(process));
    }

    private record AbsentProcess(LocalProcess process) implements Check {
        @Override
        public String subject() {
            return process.subject();
        }

        @Override
        public CheckOutcome look() {
            return CheckOutcome.faulty(
                    FindingKind.PROCESS_GONE, subject(), "is not there, or is not this user's to look at");
        }
    }
}
