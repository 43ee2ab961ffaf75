package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.rest.AdminClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** The tenancy of a stack whose tenant is registered with a control plane. */
final class RegisteredTenancy implements Tenancy {
    private final StackControlPlane controlPlane;
    private final StackFolder folder;
    private final AdminClient admin;
    private final StackRegistration registration;
    private final ApiKey key;
    private final Map<String, JoinToken> joinTokens;

    private RegisteredTenancy(
            StackControlPlane controlPlane,
            StackFolder folder,
            AdminClient admin,
            StackRegistration registration,
            ApiKey key,
            Map<String, JoinToken> joinTokens) {
        this.controlPlane = controlPlane;
        this.folder = folder;
        this.admin = admin;
        this.registration = registration;
        this.key = key;
        this.joinTokens = joinTokens;
    }

    /**
     * Starts a database and a control plane, waits until the control plane takes work, and registers the tenant.
     *
     * @param java a control plane's command up to its own arguments
     * @param ports the control plane's ports; 0 for a free one
     * @param storages by region
     */
    static RegisteredTenancy start(
            StackOptions options,
            List<String> java,
            ControlPorts ports,
            StackFolder folder,
            Map<String, StackAccounts.Storage> storages,
            RandomGenerator random)
            throws IOException, InterruptedException {
        LocalDatabase database = LocalDatabase.start(options.home(), folder.controlPlane(), random);
        try {
            StackControlPlane controlPlane = StackControlPlane.start(
                    java, ports.chosen(random), folder, database, options.platformToken(), random);
            return registered(controlPlane, folder, options.layout(), storages);
        } catch (Throwable e) {
            database.close();
            throw e;
        }
    }

    private static RegisteredTenancy registered(
            StackControlPlane controlPlane,
            StackFolder folder,
            StackLayout layout,
            Map<String, StackAccounts.Storage> storages)
            throws IOException, InterruptedException {
        AdminClient admin = controlPlane.admin();
        try {
            controlPlane.awaitReady();
            StackRegistration registration = new StackRegistration(admin, layout);
            ApiKey key = registration.register(storages, folder);
            return new RegisteredTenancy(
                    controlPlane, folder, admin, registration, key, registration.joinTokens(folder));
        } catch (Throwable e) {
            admin.close();
            controlPlane.stop();
            throw e;
        }
    }

    @Override
    public ApiKey key() {
        return key;
    }

    @Override
    public List<String> flags(StackLayout.Seat seat) {
        return List.of(
                "--control-plane",
                controlPlane.address(),
                "--region",
                seat.region(),
                "--cluster",
                seat.cluster(),
                "--node-name",
                seat.process());
    }

    @Override
    public Map<String, String> environment(StackLayout.Seat seat) {
        return Map.of(
                "KVSTORE_JOIN_TOKEN",
                        Objects.requireNonNull(joinTokens.get(seat.cluster())).text(),
                "KVSTORE_STATE_PATH", folder.state(seat.process()).toString());
    }

    @Override
    public void awaitReady(StackDataPlane dataPlane) throws InterruptedException {
        registration.awaitReady(dataPlane);
    }

    @Override
    public StackControlPlane controlPlane() {
        return controlPlane;
    }

    @Override
    public void close() {
        admin.close();
        controlPlane.stop();
        controlPlane.database().close();
    }
}
