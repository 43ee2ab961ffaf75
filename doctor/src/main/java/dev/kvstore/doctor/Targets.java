package dev.kvstore.doctor;

import dev.kvstore.doctor.environment.EngineVariables;
import dev.kvstore.doctor.environment.SaltCheck;
import dev.kvstore.doctor.environment.SettingNames;
import dev.kvstore.doctor.environment.Variables;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.Examination;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.doctor.fleet.EngineInFleet;
import dev.kvstore.doctor.fleet.FleetCheck;
import dev.kvstore.doctor.fleet.KnownFleet;
import dev.kvstore.doctor.fleet.PartitionsCheck;
import dev.kvstore.doctor.process.LocalProcess;
import dev.kvstore.doctor.process.ProcessChecks;
import dev.kvstore.doctor.service.DataPlaneCheck;
import dev.kvstore.doctor.service.EngineAccess;
import dev.kvstore.doctor.service.KeyCheck;
import dev.kvstore.doctor.service.PortCheck;
import dev.kvstore.doctor.service.SeenVersions;
import dev.kvstore.doctor.service.ServiceAddress;
import dev.kvstore.doctor.service.Trust;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is looked at. Immutable.
 *
 * @param trust how to speak to the data planes and control planes
 */
record Targets(
        List<ServiceAddress> dataPlanes,
        List<ServiceAddress> controlPlanes,
        List<Variables> environments,
        List<LocalProcess> processes,
        Trust trust) {
    private static final int REFUSED = 400;

    /**
     * Carries out all checks.
     *
     * @param client asks for the fleet; null if that is not looked at
     */
    void examine(Examination examination, Duration deadline, @Nullable AdminClient client) throws InterruptedException {
        SeenVersions versions = new SeenVersions();
        List<Check> checks = new ArrayList<>();
        Set<ServiceAddress> addresses = new LinkedHashSet<>(dataPlanes);
        List<EngineAccess> engines = new ArrayList<>();
        for (Variables variables : environments) {
            EngineVariables engine = new EngineVariables(variables);
            checks.add(new SettingNames(variables));
            if (engine.areThere()) {
                checks.add(engine);
                engine.access(trust.plaintext()).ifPresent(engines::add);
            }
        }
        if (environments.size() > 1) {
            checks.add(new SaltCheck(environments));
        }
        processes.forEach(process -> checks.addAll(ProcessChecks.of(process)));
        controlPlanes.forEach(address -> checks.add(new PortCheck(address, trust)));
        if (client != null) {
            addresses.addAll(addFleet(checks, engines, versions, client));
        }
        for (ServiceAddress address : addresses) {
            checks.add(new PortCheck(address, trust).then(new DataPlaneCheck(address, trust, versions)));
        }
        engines.forEach(engine -> addEngine(checks, engine, deadline, versions));
        examination.carryOut(checks);
        examination.carryOut(List.of(versions));
    }

    private static void addEngine(List<Check> checks, EngineAccess engine, Duration deadline, SeenVersions versions) {
        for (ServiceAddress address : engine.endpoints()) {
            Check port = new PortCheck(address, engine.trust());
            EngineAccess one = new EngineAccess(
                    List.of(address), List.of(), engine.resource(), engine.region(), engine.key(), engine.trust());
            checks.add(port.then(new KeyCheck(one, deadline)));
            checks.add(port.then(new DataPlaneCheck(address, engine.trust(), versions)));
        }
        for (ServiceAddress address : engine.controlPlanes()) {
            EngineAccess one = new EngineAccess(
                    List.of(), List.of(address), engine.resource(), engine.region(), engine.key(), engine.trust());
            checks.add(new PortCheck(address, engine.trust()).then(new KeyCheck(one, deadline)));
        }
    }

    /** The addresses of the fleet's data planes. */
    private static List<ServiceAddress> addFleet(
            List<Check> checks, List<EngineAccess> engines, SeenVersions versions, AdminClient client)
            throws InterruptedException {
        try {
            KnownFleet fleet = KnownFleet.read(client);
            checks.add(new FleetCheck(fleet, Instant.now(), versions));
            PartitionsCheck.of(client, fleet).forEach(checks::add);
            engines.forEach(engine -> checks.add(new EngineInFleet(client, fleet, engine)));
            return fleet.serving();
        } catch (AdminException e) {
            FindingKind kind = e.status() >= REFUSED ? FindingKind.TOKEN_REFUSED : FindingKind.UNREACHABLE;
            checks.add(new KnownFault("control plane", kind, String.valueOf(e.getMessage())));
            return List.of();
        }
    }

    private record KnownFault(String subject, FindingKind kind, String problem) implements Check {
        @Override
        public CheckOutcome look() {
            return CheckOutcome.faulty(kind, subject, problem);
        }
    }
}
