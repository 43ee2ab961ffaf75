package dev.kvstore.launcher.admin;

import dev.kvstore.settings.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kv admin}: the commands of an admin, over the control plane's REST API. */
@Command(
        name = "admin",
        description = "Shows and changes what a control plane keeps, over its REST API.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        subcommands = {
            GetCommand.class,
            PutCommand.class,
            SetCommand.class,
            DeleteCommand.class,
            CreateCommand.class,
            RotateCommand.class,
            ProbeCommand.class,
            ClusterCommand.class,
            RoutesCommand.class,
            HeatCommand.class,
            PurgeCommand.class,
            WarmCommand.class,
            WarmingCommand.class,
            FailoverCommand.class
        },
        footer = {
            "",
            "Kinds: region, round-trip, cluster, join-token, process, tenant, key, account, limits, grant,",
            "placement, warming, purge, audit, refusal.",
            "Exit code 1: the request was not done, and the message says why; 2: the command is wrong."
        })
public final class AdminCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
