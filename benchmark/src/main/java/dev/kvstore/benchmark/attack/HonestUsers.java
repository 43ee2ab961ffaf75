package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.benchmark.measure.CpuClock.CpuReading;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.block.Partition;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The honest users beside an attack: a client, and an admin where the admin API is attacked. For one thread. */
final class HonestUsers {
    /** The partition of all blocks of the client. */
    static final Partition PARTITION = Partition.of("honest", 16);

    private static final int CLIENT_PER_SECOND = 20;
    private static final int ADMIN_PER_SECOND = 8;
    private static final int REVOKER_PER_SECOND = 2;
    private static final int BLOCK_BYTES = 256 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** The API promises that each data plane refuses a revoked key within this time. */
    private static final Duration PROMISED = Duration.ofSeconds(5);

    private static final long POLL_MILLIS = 10;
    private static final String OWN_TENANT = "honest";
    private static final Prompt FIRST = Prompt.of(PARTITION, 0, 1);
    private static final Prompt REVOKED = Prompt.of(Partition.of("revoked", 16), 0, 1);

    private final LocalStack stack;
    private final StackControlPlane control;
    private final AttackTarget target;
    private final HonestCalls<KvClient> client =
            new HonestCalls<>(CLIENT_PER_SECOND, this::client, HonestUsers::useBlocks);
    private final @Nullable HonestCalls<AdminCalls> admin;

    HonestUsers(LocalStack stack, AttackTarget target) {
        this.stack = stack;
        this.control = Objects.requireNonNull(stack.controlPlane());
        this.target = target;
        this.admin = switch (target) {
            case DATA_PLANE, CONTROL_PLANE -> null;
            case ADMIN_API -> new HonestCalls<>(ADMIN_PER_SECOND, () -> AdminCalls.of(stack), HonestUsers::administer);
            case REVOCATIONS -> new HonestCalls<>(REVOKER_PER_SECOND, () -> AdminCalls.of(stack), this::revoke);
        };
    }

    /** Lookups, reads and writes in turn. */
    private static void useBlocks(KvClient client, int number) {
        PromptCalls calls = new PromptCalls(client, BLOCK_BYTES);
        if (number % 3 == 0) {
            calls.write(Prompt.of(PARTITION, number, 1));
        } else if ((number % 3 == 1 ? calls.lookUp(FIRST) : calls.read(FIRST, 0)) > 0) {
            throw new IllegalStateException("the first block is not there");
        }
    }

    /** A small change, and a look at it, in turn. */
    private static void administer(AdminCalls admin, int number) throws InterruptedException {
        long begun = System.nanoTime();
        if (number % 2 == 0) {
            var _ = admin.get("tenants", OWN_TENANT);
        } else {
            admin.put(AdminCalls.spec().put("displayName", "Honest, as of change " + number), "tenants", OWN_TENANT);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        if (millis > DEADLINE.toMillis()) {
            throw new IllegalStateException("an admin was answered after " + millis + " ms");
        }
    }

    /** Makes a key, uses it, revokes it, and asks a data plane until it refuses the key. */
    private void revoke(AdminCalls admin, int number) throws InterruptedException {
        ApiKey made = admin.newKey(LocalStack.TENANT);
        try (KvClient one =
                builder(made.text()).endpoints(stack.dataPlane(0).endpoint()).build()) {
            var _ = one.lookup(REVOKED.partition(), REVOKED.chain());
            admin.delete("tenants", LocalStack.TENANT, "keys", made.id());
            long revoked = System.nanoTime();
            while (isServed(one)) {
                if (System.nanoTime() - revoked > PROMISED.toNanos()) {
                    throw new IllegalStateException(
                            "a key was served " + PROMISED.toSeconds() + " s after it was revoked");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    private static boolean isServed(KvClient client) {
        try {
            var _ = client.lookup(REVOKED.partition(), REVOKED.chain());
            return true;
        } catch (KvStoreException refused) {
            if (refused.code() == ErrorCode.UNAUTHENTICATED) {
                return false;
            }
            throw refused;
        }
    }

    /** A client of the data plane, or one that asks the control plane for its way first. */
    private KvClient client() {
        KvClientBuilder builder = builder(stack.key().text());
        return target == AttackTarget.DATA_PLANE
                ? builder.endpoints(stack.dataPlane(0).endpoint()).build()
                : builder.controlPlane(control.address()).noRouteCache().build();
    }

    private static KvClientBuilder builder(String key) {
        return KvClient.builder().resource(LocalStack.RESOURCE).apiKey(key).deadline(DEADLINE);
    }

    /** Makes the block that the client asks for later. */
    void prepare() {
        try (KvClient one = client()) {
            new PromptCalls(one, BLOCK_BYTES).write(FIRST);
        }
    }

    /** Has them call for so many seconds. */
    AttackReport.Half call(int seconds) throws InterruptedException {
        List<CpuReading> before = cpu();
        HonestCalls.CallWindow ofClient;
        HonestCalls.CallWindow ofAdmin = null;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HonestCalls<AdminCalls> other = admin;
            Future<HonestCalls.CallWindow> beside = other == null ? null : threads.submit(() -> other.call(seconds));
            ofClient = client.call(seconds);
            if (beside != null) {
                ofAdmin = beside.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the honest admin could not go on: " + e.getMessage(), e);
        }
        List<CpuReading> after = cpu();
        return new AttackReport.Half(
                ofClient,
                ofAdmin,
                new AttackReport.Cores(
                        after.get(0).coresSince(before.get(0)),
                        after.get(1).coresSince(before.get(1)),
                        after.get(2).coresSince(before.get(2))));
    }

    /** Of data planes, control plane and PostgreSQL, which detaches itself from the process that starts it. */
    private List<CpuReading> cpu() {
        return List.of(
                CpuReading.now(stack.dataPlanes().stream()
                        .mapToLong(dataPlane -> dataPlane.process().pid())
                        .toArray()),
                CpuReading.now(control.process().pid()),
                CpuReading.now(control.database().pid().stream()
                        .mapToLong(Long::longValue)
                        .toArray()));
    }
}
