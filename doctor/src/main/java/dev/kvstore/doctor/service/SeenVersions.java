package dev.kvstore.doctor.service;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/** The versions of all processes that were looked at; a check, once they are. Thread-safe. */
public final class SeenVersions implements Check {
    private final Map<String, String> seen = new ConcurrentSkipListMap<>();

    /** Notes the version of a process. */
    public void note(String process, String version) {
        seen.put(process, version);
    }

    @Override
    public String subject() {
        return "versions";
    }

    @Override
    public CheckOutcome look() {
        return new TreeSet<>(seen.values()).size() < 2
                ? CheckOutcome.SOUND
                : CheckOutcome.faulty(FindingKind.VERSIONS_DIFFER, subject(), "the processes run " + seen);
    }
}
