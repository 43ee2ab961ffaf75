package dev.kvstore.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.Examination;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The findings, for people and for programs.
 *
 * @param checks how many looks were taken
 * @param unseen what could not be seen from this machine, which is no fault
 */
record DoctorReport(boolean healthy, int checks, List<ReportedFinding> findings, List<String> unseen) {
    /** A finding in JSON. */
    record ReportedFinding(String finding, String subject, String problem, String wayOut) {}

    static DoctorReport of(Examination examination) {
        List<ReportedFinding> findings = examination.findings().stream()
                .map(finding -> new ReportedFinding(
                        finding.kind().title(),
                        finding.subject(),
                        finding.problem(),
                        finding.kind().wayOut()))
                .toList();
        return new DoctorReport(findings.isEmpty(), examination.checks(), findings, examination.unseen());
    }

    /** A line for each finding, or one that says that there are none. */
    String text(List<DoctorFinding> found) {
        String hidden = unseen.isEmpty() ? "" : "; not visible from here: " + unseen.size() + ", see --json";
        return found.isEmpty()
                ? "healthy: " + checks + " checks found nothing" + hidden + "\n"
                : found.stream().map(DoctorFinding::line).collect(Collectors.joining("\n", "", "\n"));
    }

    String json() {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of texts and numbers is JSON", e);
        }
    }
}
