package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.protobuf.ByteString;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.RestRequest;
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
 */
final class Subjects {
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

    private final ManyAccounts many;
    private final List<ApiKey> keys;

    private Subjects(ManyAccounts many, List<ApiKey> keys) {
        this.many = many;
        this.keys = keys;
    }

    /** Makes keys and grants over REST. */
    static Subjects register(ManyAccounts many, AdminClient admin) throws InterruptedException {
        List<ApiKey> keys = new ArrayList<>();
        Subjects subjects = new Subjects(many, keys);
        for (int tenant = 0; tenant < ManyAccounts.TENANTS; tenant++) {
            String name = ManyAccounts.tenant(tenant + ManyAccounts.TENANTS);
            keys.add(new ApiKey(admin.send(RestRequest.post(
                            List.of("v1", "tenants", name, "keys"),
                            JsonNodeFactory.instance.objectNode().put("label", "bench")))
                    .accepted()
                    .body()
                    .path("key")
                    .asText()));
            for (int grant = 0; grant < GRANTS; grant++) {
                var spec = JsonNodeFactory.instance.objectNode().put("grantee", name);
                spec.putArray("access").add("read");
                String account = many.name(subjects.granted(tenant, grant));
                admin.send(RestRequest.put(List.of("v1", "accounts", account, "grants", name), spec))
                        .accepted();
            }
        }
        return subjects;
    }

    /** Accounts of the next tenant, spread over all there are. */
    private int granted(int tenant, int grant) {
        int spread = many.count() / ManyAccounts.TENANTS / GRANTS * grant;
        return live(spread, tenant + 1);
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
        ApiKey key = keys.get(tenant);
        ResolveRequest.Builder request = ResolveRequest.newBuilder()
                .setKeyId(key.id())
                .setKeySha256(ByteString.copyFrom(HexFormat.of().parseHex(key.sha256())))
                .setRegion(ManyAccounts.REGION);
        if (kind < OF_TEN_OWN) {
            return question("own", request, live(round, tenant), OutcomeCase.GRANTED);
        }
        if (kind < OF_TEN_GRANTED) {
            return question("granted", request, granted(tenant, random.nextInt(GRANTS)), OutcomeCase.GRANTED);
        }
        if (kind < OF_TEN_NOT_GRANTED) {
            // An account of the tenant after the next, which grants the key nothing.
            return question("not granted", request, live(round, tenant + 2), OutcomeCase.NOT_GRANTED);
        }
        request.setKeyId(Integer.toHexString(random.nextInt() | Integer.MIN_VALUE));
        return question("unknown key", request, live(round, tenant), OutcomeCase.UNKNOWN_KEY);
    }

    private ResolveQuestion question(String name, ResolveRequest.Builder request, int account, OutcomeCase expected) {
        return new ResolveQuestion(
                name, request.setResourceName(many.name(account)).build(), expected);
    }
}
