package dev.kvstore.benchmark.attack;

import dev.kvstore.benchmark.measure.BenchCommand;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
                        + " died. --against attacks the programs of another checkout.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
public final class AttackCommand extends BenchCommand {
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
                Attack _ = Attacks.of(name);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("--only: " + e.getMessage(), e);
            }
        }
        if (against != null && !Files.isRegularFile(against.resolve("kv"))) {
            throw new IllegalArgumentException("--against: " + against + " is no checkout of KV Store");
        }
    }

    @Override
    protected BenchReport measure(BenchProgress progress) throws IOException {
        Home here = Home.current();
        Home there = against == null ? here : new Home(against.toAbsolutePath().normalize());
        List<Attack> chosen = Attacks.all().stream()
                .filter(attack -> only.isEmpty() || only.contains(attack.name()))
                .toList();
        return new AttackRun(here, there, chosen, pairs, seconds, progress).run();
    }
}
