package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.attack.Attack.AttackTarget;
import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.BenchStack;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kv bench attack}. */
@Command(
        name = "attack",
        header = "Strangers and hostile tenants beside an honest client: what they cost it.",
        description =
                "Attacks a stack of its own, as strangers without a key and as a tenant that others must not suffer from,"
                        + " beside an honest client with 20 calls a second, each second on new connections, and an admin where the admin"
                        + " API is attacked. Each attack takes"
                        + " turns with quiet. Exit code 1 if one of these lost a call, if its p99 rose to more than 3x"
                        + " (median of the pairs), or if a process took more memory than documented or"
                        + " died. --against attacks the programs of another checkout.")
public final class AttackCommand extends BenchCommand {
    private static final int SETTLE_SECONDS = 2;

    /** JVMs that have just started spend the processors on compiling; the first requests take long in any case. */
    private static final int WARM_UP_SECONDS = 8;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description = "Only these attacks, by their names. Default: all.")
    private List<String> only = List.of();

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Pairs of quiet and attack, 1 to 100. Default: ${DEFAULT-VALUE}.")
    private int pairs;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "4",
            description = "Seconds of each half of a pair, 1 to 600. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--against",
            paramLabel = "FOLDER",
            description = "A checkout that is built, whose programs are attacked. Default: this one.")
    private @Nullable Path against;

    @Override
    protected void check() {
        require("--pairs", pairs, 1, 100);
        require("--seconds", seconds, 1, 600);
        for (String name : only) {
            try {
                Attack _ = Attack.of(name);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("--only: " + e.getMessage(), e);
            }
        }
        if (against != null && !Files.isRegularFile(against.resolve("kv"))) {
            throw new IllegalArgumentException("--against: " + against + " is no checkout of KV Store");
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) {
        List<AttackReport.AttackCase> cases = new ArrayList<>();
        List<AttackReport.Unmeasured> unmeasured = new ArrayList<>();
        boolean interrupted = false;
        List<Attack> chosen = Attack.ALL.stream()
                .filter(attack -> only.isEmpty() || only.contains(attack.name()))
                .toList();
        progress.plan(chosen.size());
        for (Attack attack : chosen) {
            progress.step(attack.name() + ": " + attack.text());
            // A stack of its own: an attack that works must not count for the next one.
            try (Issuer issuer = Issuer.start()) {
                cases.add(BenchStack.during(
                        options -> options(options.folder(), attack, issuer),
                        progress,
                        (stack, folder) -> measure(attack, stack, issuer, folder)));
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

    private StackOptions options(Path folder, Attack attack, Issuer issuer) {
        int regions = attack.stage() == Attack.Stage.WARMING ? 2 : 1;
        Home home = against == null
                ? Home.current()
                : new Home(against.toAbsolutePath().normalize());
        return StackOptions.onFreePorts(home, folder)
                .withControlPlane(ControlPorts.FREE)
                .withLayout(StackLayout.of(regions, 1, StackLayout.ROUND_TRIP))
                .withJvm(Map.of(Program.CONTROL_PLANE, issuer.flags()));
    }

    private AttackReport.AttackCase measure(Attack attack, LocalStack stack, Issuer issuer, Path folder)
            throws IOException, InterruptedException {
        HonestUsers honest = new HonestUsers(stack, attack.target());
        honest.prepare();
        var _ = honest.call(WARM_UP_SECONDS);
        AttackScene scene = Stages.prepare(attack.stage(), stack, issuer, folder);
        StackProcess victim = attack.target() == AttackTarget.DATA_PLANE
                ? stack.dataPlane(0)
                : Objects.requireNonNull(stack.controlPlane());
        List<AttackReport.QuietAndAttack> measured = new ArrayList<>();
        try (Attacker attacker = Attacker.start(attack.name(), scene, folder.resolve("logs/attacker.log"))) {
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
                    new AttackReport.ResidentMemory(
                            residentBytes, attack.target().mostBytes()),
                    victim.process().isAlive(),
                    first,
                    measured);
        }
    }

    private static long residentBytes(StackProcess process) {
        return process.process().isAlive() ? process.process().usage().residentBytes() : 0;
    }
}
