package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.kvstore.benchmark.measure.AdminCalls;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse.OutcomeCase;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The subjects of questions: a key of every tenant, and accounts that are its own, granted to it, or not granted.
 * Thread-safe.
 *
 * @param keys of the tenants, in their order
 */
record Subjects(ManyAccounts many, List<ApiKey> keys) {
    private static final int GRANTS = 5;
    private static final int OF_TEN_OWN = 5;
    private static final int OF_TEN_GRANTED = 7;
    private static final int OF_TEN_NOT_GRANTED = 9;

    /**
     * A question.
     *
     * @param name its kind
     * @param expected the required answer
     */
    record ResolveQuestion(String name, ResolveRequest request, OutcomeCase expected) {}

    /** Makes keys and grants over REST. */
    static Subjects register(ManyAccounts many, AdminCalls admin) throws InterruptedException {
        List<ApiKey> keys = new ArrayList<>();
        Subjects subjects = new Subjects(many, keys);
        for (String tenant : ManyAccounts.tenants()) {
            for (int grant = 0; grant < GRANTS; grant++) {
                ObjectNode spec = AdminCalls.spec().put("grantee", tenant);
                spec.putArray("access").add("read");
                String account = many.name(subjects.granted(keys.size(), grant));
                admin.put(spec, "accounts", account, "grants", tenant);
            }
            keys.add(admin.newKey(tenant));
        }
        return subjects;
    }

    /** Accounts of the next tenant, spread over all there are. */
    private int granted(int tenant, int grant) {
        return live(many.count() / ManyAccounts.TENANTS / GRANTS * grant, tenant + 1);
    }

    /** The first at a number of rounds, or after it, that belongs to a tenant and lives. */
    private int live(int round, int tenant) {
        int rounds = many.count() / ManyAccounts.TENANTS;
        int account = round % rounds * ManyAccounts.TENANTS + tenant % ManyAccounts.TENANTS;
        boolean good = !many.isDeleted(account) && !ManyAccounts.tenant(account).equals(ManyAccounts.FEW);
        return good ? account : live(round + 1, tenant);
    }

    /** Half of its own, a fifth granted, a fifth not granted, a tenth of keys that nobody has. */
    ResolveQuestion any(RandomGenerator random) {
        int tenant = random.nextInt(ManyAccounts.TENANTS);
        int round = random.nextInt(many.count() / ManyAccounts.TENANTS);
        int kind = random.nextInt(10);
        String keyId = keys.get(tenant).id();
        if (kind < OF_TEN_OWN) {
            return question("own", tenant, keyId, live(round, tenant), OutcomeCase.GRANTED);
        }
        if (kind < OF_TEN_GRANTED) {
            int account = granted(tenant, random.nextInt(GRANTS));
            return question("granted", tenant, keyId, account, OutcomeCase.GRANTED);
        }
        if (kind < OF_TEN_NOT_GRANTED) {
            // An account of the tenant after the next, which grants the key nothing.
            return question("not granted", tenant, keyId, live(round, tenant + 2), OutcomeCase.NOT_GRANTED);
        }
        String unknown = Integer.toHexString(random.nextInt() | Integer.MIN_VALUE);
        return question("unknown key", tenant, unknown, live(round, tenant), OutcomeCase.UNKNOWN_KEY);
    }

    private ResolveQuestion question(String name, int tenant, String keyId, int account, OutcomeCase expected) {
        String sha256 = keys.get(tenant).sha256();
        ResolveRequest request = ResolveRequest.newBuilder()
                .setKeyId(keyId)
                .setKeySha256(ByteString.copyFrom(HexFormat.of().parseHex(sha256)))
                .setRegion(ManyAccounts.REGION)
                .setResourceName(many.name(account))
                .build();
        return new ResolveQuestion(name, request, expected);
    }
}
