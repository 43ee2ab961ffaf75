package dev.kvstore.launcher.terraform;

import dev.kvstore.settings.Version;
import picocli.CommandLine.Command;

/** {@code kv terraform}: commands for Terraform. */
@Command(
        name = "terraform",
        description = "The Terraform provider, modules and examples of this checkout.",
        // The script kv runs this one.
        footer = "  check   Checks modules and examples without Azure: kv terraform check --help.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = MirrorCommand.class)
public final class TerraformCommand {}
