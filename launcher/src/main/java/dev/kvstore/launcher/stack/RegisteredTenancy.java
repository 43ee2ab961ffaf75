package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.admin.AdminClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A control plane knows the tenant, since it was registered there. */
final class RegisteredTenancy implements Tenancy {
    private final ControlPlane controlPlane;
    private final StackFolder folder;
    private final AdminClient admin;
    private final Registration registration;
    private final ApiKey key;

    private RegisteredTenancy(
            ControlPlane controlPlane, StackFolder folder, AdminClient admin, Registration registration, ApiKey key) {
        this.controlPlane = controlPlane;
        this.folder = folder;
        this.admin = admin;
        this.registration = registration;
        this.key = key;
    }

    /**
     * Starts a control plane, waits until it takes work, and registers the tenant.
     *
     * @param ports 0 for free ones
     */
    static RegisteredTenancy start(
            Path jar, ControlPorts ports, StackFolder folder, Accounts.Storage storage, RandomGenerator random)
            throws IOException, InterruptedException {
        ControlPlane controlPlane = ControlPlane.start(jar, ports.chosen(random), folder, random);
        AdminClient admin = controlPlane.admin();
        try {
            controlPlane.awaitReady();
            Registration registration = new Registration(admin);
            ApiKey key = registration.register(storage, folder);
            return new RegisteredTenancy(controlPlane, folder, admin, registration, key);
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
    public List<String> flags(int index) {
        return List.of("--control-plane", controlPlane.address(), "--region", Registration.PLACE);
    }

    @Override
    public Map<String, String> environment(int index) {
        return Map.of(
                "KVSTORE_JOIN_TOKEN", controlPlane.joinToken().text(),
                "KVSTORE_STATE_PATH", folder.state(Registration.process(index)).toString());
    }

    @Override
    public void announce(List<String> endpoints) throws InterruptedException {
        registration.registerProcesses(endpoints);
    }

    @Override
    public void awaitReady(DataPlane dataPlane) throws InterruptedException {
        registration.awaitReady(dataPlane);
    }

    @Override
    public ControlPlane controlPlane() {
        return controlPlane;
    }

    @Override
    public void close() {
        admin.close();
        controlPlane.stop();
    }
}
