package dev.kvstore.doctor.environment;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.util.List;
import java.util.stream.Collectors;

/** Whether engines that were given together name salted prompts alike. */
public record SaltCheck(List<Variables> engines) implements Check {
    @Override
    public String subject() {
        return engines.stream().map(Variables::source).collect(Collectors.joining(", "));
    }

    @Override
    public CheckOutcome look() {
        long keys = engines.stream()
                .map(engine -> engine.value(EngineVariables.SALT))
                .distinct()
                .count();
        return keys < 2
                ? CheckOutcome.SOUND
                : CheckOutcome.faulty(
                        FindingKind.SALT_DIFFERS,
                        subject(),
                        "the engines have different KV_SALT_KEYs and share no prompt that has a salt");
    }
}
