package dev.kvstore.doctor.process;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether a data plane keeps what the control plane told it, for a restart while that is away. */
record StatePathCheck(LocalProcess process) implements Check {
    @Override
    public String subject() {
        return process.subject();
    }

    @Override
    public CheckOutcome look() throws IOException {
        if (process.flag("--control-plane").isEmpty()) {
            return CheckOutcome.SOUND;
        }
        Optional<String> state = process.setting("kvstore.state-path");
        if (state.isEmpty()) {
            return CheckOutcome.faulty(
                    FindingKind.STATE_PATH_MISSING,
                    subject(),
                    "has no state path: a restart while the control plane is away serves nobody");
        }
        // Through the process, whose root may be that of a container.
        Path folder = process.file("root").resolve(state.get().replaceFirst("^/+", ""));
        return Files.isDirectory(folder) && Files.isWritable(folder)
                ? CheckOutcome.SOUND
                : CheckOutcome.faulty(
                        FindingKind.STATE_PATH_UNUSABLE, subject(), state.get() + " is no folder that may be written");
    }
}
