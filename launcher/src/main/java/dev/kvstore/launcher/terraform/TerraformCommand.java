package dev.kvstore.launcher.terraform;

import dev.kvstore.settings.Version;
import picocli.CommandLine.Command;

/** {@code kv terraform}: commands for Terraform. */
@Command(
        name = "terraform",
        description = "The Terraform provider of this checkout; kv terraform check checks its modules and examples.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = MirrorCommand.class)
public final class TerraformCommand {}
