package dev.kvstore.benchmark;

import dev.kvstore.benchmark.attack.AttackCommand;
import dev.kvstore.benchmark.control.ControlCommand;
import dev.kvstore.benchmark.engine.EngineCommand;
import dev.kvstore.benchmark.failover.BenchFailoverCommand;
import dev.kvstore.benchmark.fleet.FleetCommand;
import dev.kvstore.benchmark.kill.KillCommand;
import dev.kvstore.benchmark.kvcache.KvCacheCommand;
import dev.kvstore.benchmark.limits.Limit;
import dev.kvstore.benchmark.limits.LimitsCommand;
import dev.kvstore.benchmark.peers.ComparedSystem;
import dev.kvstore.benchmark.peers.PeersCommand;
import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.python.PythonCommand;
import dev.kvstore.benchmark.python.PythonPeer;
import dev.kvstore.benchmark.replay.ReplayCommand;
import dev.kvstore.benchmark.report.ReportCommand;
import dev.kvstore.benchmark.simulate.SimulateCommand;
import dev.kvstore.benchmark.soak.SoakCommand;
import dev.kvstore.benchmark.sweep.SweepCommand;
import dev.kvstore.benchmark.sweep.step.Data;
import dev.kvstore.benchmark.sweep.step.Mix;
import dev.kvstore.benchmark.warming.BenchWarmingCommand;
import dev.kvstore.launcher.CommandLines;
import dev.kvstore.launcher.EnumConverter;
import dev.kvstore.settings.Version;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code kv bench}: what can be measured. */
@Command(
        name = "kv bench",
        description = "Measures KV Store on this machine.",
        subcommands = {
            PeersCommand.class,
            PythonCommand.class,
            EngineCommand.class,
            SweepCommand.class,
            LimitsCommand.class,
            ReplayCommand.class,
            KvCacheCommand.class,
            KillCommand.class,
            SoakCommand.class,
            SimulateCommand.class,
            AttackCommand.class,
            ControlCommand.class,
            FleetCommand.class,
            BenchFailoverCommand.class,
            BenchWarmingCommand.class,
            ReportCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
public final class Bench {
    // The warnings of a channel, with their stack traces, are also in the error of its caller. The logger is held, or
    // its level would be forgotten.
    private static final Logger CHANNELS = Logger.getLogger("io.grpc");

    private Bench() {}

    public static void main(String[] arguments) {
        CHANNELS.setLevel(Level.SEVERE);
        System.exit(CommandLines.execute(commandLine(), arguments));
    }

    static CommandLine commandLine() {
        return CommandLines.of(new Bench())
                .registerConverter(
                        ControlCommand.ControlPart.class, new EnumConverter<>(ControlCommand.ControlPart.class))
                .registerConverter(
                        BenchWarmingCommand.WarmingPart.class,
                        new EnumConverter<>(BenchWarmingCommand.WarmingPart.class))
                .registerConverter(Limit.class, new EnumConverter<>(Limit.class))
                .registerConverter(Mix.class, new EnumConverter<>(Mix.class))
                .registerConverter(Data.class, new EnumConverter<>(Data.class))
                .registerConverter(ComparedSystem.class, new EnumConverter<>(ComparedSystem.class))
                .registerConverter(PythonPeer.class, new EnumConverter<>(PythonPeer.class))
                .registerConverter(Damage.class, new EnumConverter<>(Damage.class));
    }
}
