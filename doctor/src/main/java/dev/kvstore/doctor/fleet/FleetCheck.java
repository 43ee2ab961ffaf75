package dev.kvstore.doctor.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.doctor.service.SeenVersions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Whether the clusters have the data planes that they should, and accounts a storage that works.
 *
 * @param read when the fleet was read, by the clock of this machine
 */
public record FleetCheck(KnownFleet fleet, Instant read, SeenVersions versions) implements Check {
    /** Data planes are heard every 5 s; the rest is the time of the answer. */
    private static final Duration CLOCKS = Duration.ofSeconds(30);

    private static final Set<String> LOST = Set.of("lapsed", "absent");

    @Override
    public String subject() {
        return "fleet";
    }

    @Override
    public CheckOutcome look() {
        List<DoctorFinding> findings = new ArrayList<>();
        versions.note("the control plane", fleet.version());
        fleet.clusters().forEach(cluster -> addCluster(findings, cluster));
        fleet.processes().forEach(process -> addProcess(findings, process));
        fleet.accounts()
                .forEach(
                        account -> account.path("replicas").forEach(replica -> addReplica(findings, account, replica)));
        addClock(findings);
        return CheckOutcome.of(findings);
    }

    private void addCluster(List<DoctorFinding> findings, JsonNode cluster) {
        String name = cluster.path("name").asText();
        boolean serves = fleet.processes().stream()
                .anyMatch(process -> process.path("cluster").asText().equals(name)
                        && process.path("state").asText().equals("serving"));
        if (!serves && cluster.path("state").asText().equals("active")) {
            findings.add(new DoctorFinding(FindingKind.CLUSTER_EMPTY, "cluster " + name, "no data plane of it serves"));
        }
    }

    private void addProcess(List<DoctorFinding> findings, JsonNode process) {
        String state = process.path("state").asText();
        String subject = process.path("name").asText() + " of cluster "
                + process.path("cluster").asText();
        versions.note(subject, process.path("member").path("program").asText(fleet.version()));
        if (state.equals("draining")) {
            findings.add(new DoctorFinding(FindingKind.DRAINING, subject, "it sends new calls elsewhere"));
        } else if (LOST.contains(state)) {
            findings.add(new DoctorFinding(
                    FindingKind.DATA_PLANE_LOST,
                    subject,
                    "is " + state + ", last heard at "
                            + process.path("member").path("heardAt").asText("no time")));
        }
    }

    private static void addReplica(List<DoctorFinding> findings, JsonNode account, JsonNode replica) {
        String state = replica.path("state").asText();
        if (!state.equals("ready") && account.path("state").asText().equals("active")) {
            findings.add(new DoctorFinding(
                    FindingKind.STORAGE_UNPROVEN,
                    account.path("resourceName").asText() + " in region "
                            + replica.path("region").asText(),
                    "its storage is " + state + step(replica)));
        }
    }

    /** The first step of the trial that failed, such as {@code : write, forbidden}. */
    private static String step(JsonNode replica) {
        for (JsonNode step : replica.path("report").path("steps")) {
            if (!step.path("ok").asBoolean()) {
                return ": " + step.path("name").asText() + ", "
                        + step.path("reason").asText();
            }
        }
        return "";
    }

    private void addClock(List<DoctorFinding> findings) {
        fleet.processes().stream()
                .filter(process -> process.path("state").asText().equals("serving"))
                .map(process -> process.path("member").path("heardAt").asText(""))
                .filter(heard -> !heard.isEmpty())
                .map(Instant::parse)
                .max(Instant::compareTo)
                .map(heard -> Duration.between(heard, read).abs())
                .filter(difference -> difference.compareTo(CLOCKS) > 0)
                .ifPresent(difference -> findings.add(new DoctorFinding(
                        FindingKind.CLOCK_DIFFERS,
                        "control plane",
                        "the clocks of its database and of this machine differ by " + difference.toSeconds() + " s")));
    }
}
