package dev.kvstore.doctor.environment;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.settings.OldNames;
import dev.kvstore.settings.ProgramVariables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The names of settings in an environment, which a program refuses at its start if it does not know them. */
public record SettingNames(Variables variables) implements Check {
    @Override
    public String subject() {
        return variables.source();
    }

    @Override
    public CheckOutcome look() {
        List<DoctorFinding> findings = new ArrayList<>();
        Set<String> known = new TreeSet<>(ProgramVariables.DATA_PLANE);
        known.addAll(ProgramVariables.CONTROL_PLANE);
        ProgramVariables.unknown(variables.values())
                .forEach(name -> findings.add(new DoctorFinding(
                        FindingKind.SETTING_UNKNOWN,
                        name,
                        "no program has this setting"
                                + NearestName.of(name, known)
                                        .map(other -> "; " + other + " is one")
                                        .orElse(""))));
        for (OldNames names : List.of(OldNames.DATA_PLANE, OldNames.CONTROL_PLANE)) {
            names.names().forEach((old, now) -> {
                if (variables.values().containsKey(OldNames.variable(old))) {
                    findings.add(new DoctorFinding(
                            FindingKind.SETTING_RENAMED,
                            OldNames.variable(old),
                            "is now called " + OldNames.variable(now) + ", and refused from version "
                                    + OldNames.REFUSED_FROM));
                }
            });
        }
        return CheckOutcome.of(findings);
    }
}
