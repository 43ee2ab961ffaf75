package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The honest users beside an attack: a client, and an admin where the admin API is attacked. For one thread. */
final class HonestUsers {
    private final LocalStack stack;
    private final AttackTarget target;
    private final HonestCalls client;
    private final @Nullable HonestCalls admin;

    HonestUsers(LocalStack stack, AttackTarget target) {
        this.stack = stack;
        this.target = target;
        this.client = new HonestCalls(HonestClient.CALLS_PER_SECOND, () -> new HonestClient(client()));
        this.admin = switch (target) {
            case DATA_PLANE, CONTROL_PLANE -> null;
            case ADMIN_API ->
                new HonestCalls(
                        HonestAdmin.CALLS_PER_SECOND,
                        () -> new HonestAdmin(control().admin()));
            case REVOCATIONS ->
                new HonestCalls(
                        HonestRevoker.CALLS_PER_SECOND,
                        () -> new HonestRevoker(control().admin(), this::client));
        };
    }

    private StackControlPlane control() {
        return Objects.requireNonNull(stack.controlPlane());
    }

    /** A client of the data plane, or one that asks the control plane for its way first. */
    private KvClient client() {
        KvClientBuilder builder = builder(stack.key().text());
        return switch (target) {
            case DATA_PLANE -> builder.endpoints(stack.dataPlane(0).endpoint()).build();
            case CONTROL_PLANE, ADMIN_API, REVOCATIONS ->
                builder.controlPlane(control().address()).noRouteCache().build();
        };
    }

    /** A client of the data plane with another key. */
    private KvClient client(String key) {
        return builder(key).endpoints(stack.dataPlane(0).endpoint()).build();
    }

    private static KvClientBuilder builder(String key) {
        return KvClient.builder().resource(LocalStack.RESOURCE).apiKey(key).deadline(HonestClient.deadline());
    }

    /** Makes the blocks that they ask for later. */
    void prepare() {
        try (HonestClient one = new HonestClient(client())) {
            one.prepare();
        }
    }

    /** Has them call for so many seconds. */
    AttackReport.Half call(int seconds) throws InterruptedException {
        StackCpu before = StackCpu.now(stack);
        HonestCalls.CallWindow ofClient;
        HonestCalls.CallWindow ofAdmin = null;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HonestCalls other = admin;
            Future<HonestCalls.CallWindow> beside = other == null ? null : threads.submit(() -> other.call(seconds));
            ofClient = client.call(seconds);
            if (beside != null) {
                ofAdmin = beside.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the honest admin could not go on: " + e.getMessage(), e);
        }
        return new AttackReport.Half(ofClient, ofAdmin, StackCpu.now(stack).since(before));
    }
}
