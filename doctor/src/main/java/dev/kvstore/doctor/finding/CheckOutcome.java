package dev.kvstore.doctor.finding;

import java.util.List;

/** How a check ended. Immutable. */
public sealed interface CheckOutcome {
    /** The outcome of a check that found nothing. */
    CheckOutcome SOUND = new Sound();

    /** All is well. */
    record Sound() implements CheckOutcome {}

    /** Something is wrong. */
    record Faulty(List<DoctorFinding> findings) implements CheckOutcome {
        public Faulty {
            findings = List.copyOf(findings);
        }
    }

    /**
     * The target cannot be seen from here, which is no fault.
     *
     * @param reason for people
     */
    record Unseen(String reason) implements CheckOutcome {}

    /** Faulty with these findings, or sound if there are none. */
    static CheckOutcome of(List<DoctorFinding> findings) {
        return findings.isEmpty() ? SOUND : new Faulty(findings);
    }

    /** Faulty with one finding. */
    static CheckOutcome faulty(FindingKind kind, String subject, String problem) {
        return new Faulty(List.of(new DoctorFinding(kind, subject, problem)));
    }
}
