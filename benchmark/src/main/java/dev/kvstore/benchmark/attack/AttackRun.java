package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.attack.Attack.Stage;
import dev.kvstore.benchmark.attack.Attack.Target;
import dev.kvstore.benchmark.control.OwnDatabase;
import dev.kvstore.benchmark.measure.Progress;
import dev.kvstore.benchmark.measure.TemporaryFolder;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvClientBuilder;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.Call;
import dev.kvstore.launcher.stack.ControlPlane;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.Layout;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.launcher.stack.StackProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Attack after attack on a stack of its own, each in turn with quiet. For one thread. */
final class AttackRun {
    private static final String TENANT = "hostile";
    private static final String RESOURCE = "hostile-store";
    private static final String CLUSTER = "rogue";
    private static final String VIEWER = "viewer";
    private static final int SLOW_BYTES_PER_SECOND = 100_000;
    private static final int HOT_BLOCKS = 100_000;
    private static final long READY_SECONDS = 60;
    private static final long POLL_MILLIS = 200;
    private static final int SETTLE_SECONDS = 2;

    /** JVMs that have just started spend the processors on compiling; what they are asked first takes long in any case. */
    private static final int WARM_UP_SECONDS = 8;

    private final Home tools;
    private final Home home;
    private final List<Attack> attacks;
    private final int pairs;
    private final int seconds;
    private final Progress progress;

    /**
     * @param tools this checkout, whose folder for what may be deleted is used
     * @param home the checkout whose programs are attacked
     * @param seconds of each half of a pair
     */
    AttackRun(Home tools, Home home, List<Attack> attacks, int pairs, int seconds, Progress progress) {
        this.tools = tools;
        this.home = home;
        this.attacks = List.copyOf(attacks);
        this.pairs = pairs;
        this.seconds = seconds;
        this.progress = progress;
    }

    /** Measures all attacks. A thread that is interrupted reports the attacks measured until then. */
    AttackReport run() throws IOException {
        Files.createDirectories(tools.target());
        List<AttackReport.Case> cases = new ArrayList<>();
        boolean interrupted = false;
        progress.plan(attacks.size());
        for (Attack attack : attacks) {
            progress.step(attack.name() + ": " + attack.text());
            // A stack of its own: an attack that works must not count for the next one.
            try (TemporaryFolder folder = TemporaryFolder.in(tools.target(), "kv-attack-")) {
                cases.add(run(attack, folder.path()));
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            }
        }
        return new AttackReport(pairs, seconds, List.copyOf(cases), interrupted);
    }

    private AttackReport.Case run(Attack attack, Path folder) throws IOException, InterruptedException {
        StackOptions options = StackOptions.onFreePorts(home, folder.resolve("stack"))
                .withControlPlane(ControlPorts.FREE)
                .withLayout(Layout.of(attack.stage().regions(), 1, Layout.ROUND_TRIP));
        try (Issuer issuer = Issuer.start();
                LocalStack stack = LocalStack.start(
                        options.withJvm(Map.of(Program.CONTROL_PLANE, issuer.flags())), new SecureRandom())) {
            HonestClient honest = new HonestClient(() -> client(stack, attack.target()));
            honest.prepare();
            var _ = honest.call(WARM_UP_SECONDS);
            Scene scene = Scene.of(
                    stack,
                    hostile(stack, folder.resolve("hostile")),
                    issuer.token(VIEWER),
                    rogue(stack, attack.stage() == Stage.WARMING ? warming(stack) : ""));
            try (OwnDatabase database = OwnDatabase.of(Objects.requireNonNull(stack.controlPlane()))) {
                database.heat(stack.layout().regions().getFirst().name(), RESOURCE, HOT_BLOCKS, new SecureRandom());
            }
            try (Attacker attacker = Attacker.start(attack.name(), scene, folder.resolve("attacker.log"))) {
                return measure(attack, stack, honest, attacker);
            }
        }
    }

    private AttackReport.Case measure(Attack attack, LocalStack stack, HonestClient honest, Attacker attacker)
            throws IOException, InterruptedException {
        StackProcess victim = attack.target() == Target.DATA_PLANE
                ? stack.dataPlane(0)
                : Objects.requireNonNull(stack.controlPlane());
        List<AttackReport.Pair> measured = new ArrayList<>();
        attacker.begin();
        HonestClient.Window first = honest.call(WARM_UP_SECONDS);
        Attacker.Outcome outcome = attacker.end();
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        long residentBytes = residentBytes(victim);
        for (int pair = 0; pair < pairs && victim.process().isAlive(); pair++) {
            HonestClient.Window quiet = honest.call(seconds);
            attacker.begin();
            HonestClient.Window attacked = honest.call(seconds);
            residentBytes = Math.max(residentBytes, residentBytes(victim));
            outcome = outcome.plus(attacker.end());
            measured.add(new AttackReport.Pair(quiet, attacked));
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        }
        return new AttackReport.Case(
                attack.name(),
                attack.text(),
                outcome,
                new AttackReport.Memory(residentBytes, attack.target().mostBytes()),
                victim.process().isAlive(),
                first,
                measured);
    }

    private static long residentBytes(StackProcess process) {
        return process.process().isAlive() ? process.process().usage().residentBytes() : 0;
    }

    /** A client of the data plane, or one that asks the control plane for its way first. */
    private static KvClient client(LocalStack stack, Target target) {
        KvClientBuilder builder = KvClient.builder()
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(HonestClient.deadline());
        ControlPlane control = Objects.requireNonNull(stack.controlPlane());
        return switch (target) {
            case DATA_PLANE -> builder.endpoints(stack.dataPlane(0).endpoint()).build();
            case CONTROL_PLANE ->
                builder.controlPlane(control.address()).noRouteCache().build();
        };
    }

    /** Has the honest client's blocks copied, so slowly that it lasts longer than the attack. */
    private static String warming(LocalStack stack) throws InterruptedException {
        List<Layout.Region> regions = stack.layout().regions();
        ObjectNode spec = JsonNodeFactory.instance
                .objectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", regions.getFirst().name())
                .put("to", regions.getLast().name())
                .put("bytesPerSecond", SLOW_BYTES_PER_SECOND);
        spec.set("select", HonestClient.partition());
        try (AdminClient admin = Objects.requireNonNull(stack.controlPlane()).admin()) {
            return admin.send(Call.post(List.of("v1", "warmings"), spec))
                    .accepted()
                    .body()
                    .path("id")
                    .asText();
        }
    }

    private static Scene.Rogue rogue(LocalStack stack, String warming) throws InterruptedException {
        try (AdminClient admin = Objects.requireNonNull(stack.controlPlane()).admin()) {
            JsonNodeFactory json = JsonNodeFactory.instance;
            Layout.Region region = stack.layout().regions().getFirst();
            admin.send(Call.put(
                            List.of("v1", "clusters", CLUSTER),
                            json.objectNode().put("region", region.name())))
                    .accepted();
            String token = admin.send(Call.post(List.of("v1", "clusters", CLUSTER, "join-tokens"), json.objectNode()))
                    .accepted()
                    .body()
                    .path("token")
                    .asText();
            return new Scene.Rogue(
                    region.name(), CLUSTER, token, region.clusters().getFirst().name(), warming);
        }
    }

    private static Scene.Hostile hostile(LocalStack stack, Path storage) throws InterruptedException {
        try (AdminClient admin = Objects.requireNonNull(stack.controlPlane()).admin()) {
            JsonNodeFactory json = JsonNodeFactory.instance;
            admin.send(Call.put(List.of("v1", "tenants", TENANT), json.objectNode()))
                    .accepted();
            ObjectNode account = json.objectNode().put("tenant", TENANT);
            account.putArray("replicas")
                    .addObject()
                    .put("region", stack.layout().regions().getFirst().name())
                    .put("endpoint", storage.toUri().toString())
                    .put("vouched", true);
            admin.send(Call.put(List.of("v1", "accounts", RESOURCE), account)).accepted();
            String key = admin.send(Call.post(List.of("v1", "tenants", TENANT, "keys"), json.objectNode()))
                    .accepted()
                    .body()
                    .path("key")
                    .asText();
            long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
            while (!admin.send(Call.get(List.of("v1", "accounts", RESOURCE)))
                    .accepted()
                    .body()
                    .path("ready")
                    .asBoolean()) {
                if (System.nanoTime() > last) {
                    throw new LaunchException(
                            "the hostile tenant's storage was not ready within " + READY_SECONDS + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            return new Scene.Hostile(RESOURCE, key, storage.toString());
        }
    }
}
