package dev.kvstore.doctor.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.launcher.stack.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A data plane's own words: its readiness, and its metrics. Unseen where that port is not open. */
public record DataPlaneCheck(ServiceAddress address, Trust trust, SeenVersions versions) implements Check {
    private static final Duration CLOCKS = Duration.ofSeconds(30);
    private static final Set<String> NO_DISK_FAULT = Set.of("none", "working", "loading");

    /** The files of a process that are neither clients' connections nor storage's. */
    private static final int OTHER_FILES = 500;

    @Override
    public String subject() {
        return address.toString();
    }

    @Override
    public CheckOutcome look() throws Exception {
        JsonNode health;
        Metrics metrics;
        try (HealthPages pages = HealthPages.open(address, trust)) {
            health = new ObjectMapper().readTree(pages.read("/q/health/ready"));
            metrics = Metrics.parse(pages.read("/q/metrics"));
        } catch (IOException e) {
            return new CheckOutcome.Unseen("its port for health and metrics is not open to this machine");
        }
        metrics.sumsBy("kvstore_info", "version").keySet().forEach(version -> versions.note(subject(), version));
        List<DoctorFinding> findings = new ArrayList<>();
        health.path("checks").forEach(check -> addReadiness(findings, check, metrics));
        addMetrics(findings, metrics);
        return CheckOutcome.of(findings);
    }

    private void addReadiness(List<DoctorFinding> findings, JsonNode check, Metrics metrics) {
        String name = check.path("name").asText();
        JsonNode data = check.path("data");
        boolean down = check.path("status").asText().equals("DOWN");
        switch (name) {
            case "drain" -> add(findings, down, FindingKind.DRAINING, "it sends new calls elsewhere");
            case "memory" ->
                add(
                        findings,
                        down,
                        FindingKind.MEMORY_EXHAUSTED,
                        "no room for blocks for " + data.path("exhausted for").asText());
            case "storage" ->
                add(
                        findings,
                        data.path("failing").asInt() > 0,
                        FindingKind.STORAGE_FAILING,
                        "%d of %d storages fail %s"
                                .formatted(
                                        data.path("failing").asInt(),
                                        data.path("stores").asInt(),
                                        errors(metrics)));
            case "disk tier" ->
                add(
                        findings,
                        !NO_DISK_FAULT.contains(data.path("state").asText("none")),
                        FindingKind.DISK_TIER_BROKEN,
                        "its disk tier is " + data.path("state").asText() + ": "
                                + data.path("reason").asText());
            case "accounts" ->
                add(
                        findings,
                        down || !data.path("watch").asText("connected").equals("connected"),
                        FindingKind.CONTROL_PLANE_UNHEARD,
                        "it does not hear the control plane: "
                                + data.path("reason").asText("no reason told"));
            case "cluster" ->
                add(
                        findings,
                        data.hasNonNull("lease") && !data.path("lease").asText().equals("held"),
                        FindingKind.NOT_IN_CLUSTER,
                        "it holds no lease in cluster " + data.path("cluster").asText() + ": "
                                + data.path("reason").asText("no reason told"));
            default -> add(findings, down, FindingKind.NOT_READY, "its check " + name + " is down " + data);
        }
    }

    /** The kinds of failure so far, such as {@code (forbidden 3)}. */
    private static String errors(Metrics metrics) {
        return metrics.sumsBy("kvstore_storage_errors_total", "error").entrySet().stream()
                .filter(error -> error.getValue() > 0)
                .map(error -> error.getKey() + " " + error.getValue().longValue())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private void addMetrics(List<DoctorFinding> findings, Metrics metrics) {
        double now = metrics.sum("process_start_time_seconds") + metrics.sum("process_uptime_seconds");
        Duration ahead = Duration.ofMillis((long) (now * 1_000) - Instant.now().toEpochMilli());
        add(
                findings,
                now > 0 && ahead.abs().compareTo(CLOCKS) > 0,
                FindingKind.CLOCK_DIFFERS,
                "its clock and that of this machine differ by " + ahead.abs().toSeconds() + " s");
        double most = metrics.sum("process_files_max_files");
        double clients = metrics.sum("kvstore_connections_limit");
        // Connections to storage may take the other half.
        add(
                findings,
                most > 0 && most / 2 < clients + OTHER_FILES,
                FindingKind.OPEN_FILES,
                "it may open %.0f files, too few for %.0f clients and connections to storage".formatted(most, clients));
    }

    private void add(List<DoctorFinding> findings, boolean found, FindingKind kind, String problem) {
        if (found) {
            findings.add(new DoctorFinding(kind, subject(), problem));
        }
    }
}
