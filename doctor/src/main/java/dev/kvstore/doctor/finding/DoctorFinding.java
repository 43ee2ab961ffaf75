package dev.kvstore.doctor.finding;

import dev.kvstore.launcher.rest.Plain;

/**
 * Something that is wrong.
 *
 * @param subject what it is about: an address, a file, a variable, a process
 * @param problem what is wrong with it; may contain text of others, but no secret
 */
public record DoctorFinding(FindingKind kind, String subject, String problem) {
    /** The finding and the way out, in one line for a terminal. */
    public String line() {
        return Plain.line("%-21s %s: %s; %s".formatted(kind.title(), subject, problem, kind.wayOut()));
    }
}
