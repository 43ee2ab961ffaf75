package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackLayout;
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
    private static final int SETTLE_SECONDS = 2;

    /** JVMs that have just started spend the processors on compiling; the first requests take long in any case. */
    private static final int WARM_UP_SECONDS = 8;

    private final Home tools;
    private final Home home;
    private final List<Attack> attacks;
    private final int pairs;
    private final int seconds;
    private final BenchProgress progress;

    /**
     * @param tools this checkout, whose folder for deletable files is used
     * @param home the checkout whose programs are attacked
     * @param seconds of each half of a pair
     */
    AttackRun(Home tools, Home home, List<Attack> attacks, int pairs, int seconds, BenchProgress progress) {
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
        List<AttackReport.AttackCase> cases = new ArrayList<>();
        List<AttackReport.Unmeasured> unmeasured = new ArrayList<>();
        boolean interrupted = false;
        progress.plan(attacks.size());
        for (Attack attack : attacks) {
            progress.step(attack.name() + ": " + attack.text());
            // A stack of its own: an attack that works must not count for the next one.
            try (BenchFolder folder = BenchFolder.in(tools.target(), "kv-attack-")) {
                cases.add(run(attack, folder.path()));
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            } catch (IOException | RuntimeException e) {
                // The other attacks have stacks of their own.
                unmeasured.add(new AttackReport.Unmeasured(attack.name(), String.valueOf(e.getMessage())));
            }
        }
        return new AttackReport(pairs, seconds, List.copyOf(cases), List.copyOf(unmeasured), interrupted);
    }

    private AttackReport.AttackCase run(Attack attack, Path folder) throws IOException, InterruptedException {
        StackOptions options = StackOptions.onFreePorts(home, folder.resolve("stack"))
                .withControlPlane(ControlPorts.FREE)
                .withLayout(StackLayout.of(attack.stage().regions(), 1, StackLayout.ROUND_TRIP));
        try (Issuer issuer = Issuer.start();
                LocalStack stack = LocalStack.start(
                        options.withJvm(Map.of(Program.CONTROL_PLANE, issuer.flags())), new SecureRandom())) {
            HonestUsers honest = new HonestUsers(stack, attack.target());
            honest.prepare();
            var _ = honest.call(WARM_UP_SECONDS);
            AttackScene scene = Stages.prepare(attack.stage(), stack, issuer, folder);
            try (Attacker attacker = Attacker.start(attack.name(), scene, folder.resolve("attacker.log"))) {
                return measure(attack, stack, honest, attacker);
            }
        }
    }

    private AttackReport.AttackCase measure(Attack attack, LocalStack stack, HonestUsers honest, Attacker attacker)
            throws IOException, InterruptedException {
        StackProcess victim = attack.target() == AttackTarget.DATA_PLANE
                ? stack.dataPlane(0)
                : Objects.requireNonNull(stack.controlPlane());
        List<AttackReport.QuietAndAttack> measured = new ArrayList<>();
        attacker.begin();
        AttackReport.Half first = honest.call(WARM_UP_SECONDS);
        Attacker.AttackOutcome outcome = attacker.end();
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        long residentBytes = residentBytes(victim);
        for (int pair = 0; pair < pairs && victim.process().isAlive(); pair++) {
            AttackReport.Half quiet = honest.call(seconds);
            attacker.begin();
            AttackReport.Half attacked = honest.call(seconds);
            residentBytes = Math.max(residentBytes, residentBytes(victim));
            outcome = outcome.plus(attacker.end());
            measured.add(new AttackReport.QuietAndAttack(quiet, attacked));
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        }
        return new AttackReport.AttackCase(
                attack.name(),
                attack.text(),
                outcome,
                new AttackReport.ResidentMemory(residentBytes, attack.target().mostBytes()),
                victim.process().isAlive(),
                first,
                measured);
    }

    private static long residentBytes(StackProcess process) {
        return process.process().isAlive() ? process.process().usage().residentBytes() : 0;
    }
}
