package dev.kvstore.doctor.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.DoctorFinding;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.doctor.service.EngineAccess;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.rest.RestResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The control plane's knowledge of an engine's key and region, which it does not tell the engine. */
public record EngineInFleet(AdminClient client, KnownFleet fleet, EngineAccess access) implements Check {
    private static final int OK = 200;

    @Override
    public String subject() {
        return access.resource();
    }

    @Override
    public CheckOutcome look() throws InterruptedException {
        List<DoctorFinding> findings = new ArrayList<>();
        boolean known = fleet.regions().stream()
                .anyMatch(region -> region.path("name").asText().equals(access.region()));
        if (!access.region().isEmpty() && !known) {
            findings.add(new DoctorFinding(
                    FindingKind.REGION_UNKNOWN, access.region(), "is no region; the engine counts as one at home"));
        }
        Optional<JsonNode> account = fleet.account(access.resource());
        if (account.isPresent()) {
            addKey(findings, account.get().path("tenant").asText());
        }
        return CheckOutcome.of(findings);
    }

    private void addKey(List<DoctorFinding> findings, String tenant) throws InterruptedException {
        String[] parts = access.key().split("_", 3);
        String id = parts.length == 3 ? parts[1] : "";
        if (!id.matches("[a-z0-9]{1,63}")) {
            return;
        }
        RestResponse response = client.send(RestRequest.get(List.of("v1", "tenants", tenant, "keys", id)));
        if (response.status() != OK) {
            return; // of another tenant, to which the account may be granted
        }
        JsonNode key = response.body();
        if (key.hasNonNull("revokedAt")) {
            findings.add(new DoctorFinding(
                    FindingKind.KEY_REVOKED,
                    "key " + id,
                    "was revoked at " + key.path("revokedAt").asText()));
        } else if (key.hasNonNull("expiresAt")
                && Instant.parse(key.path("expiresAt").asText()).isBefore(Instant.now())) {
            findings.add(new DoctorFinding(
                    FindingKind.KEY_EXPIRED,
                    "key " + id,
                    "expired at " + key.path("expiresAt").asText()));
        }
    }
}
