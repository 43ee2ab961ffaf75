package dev.kvstore.terraform.check;

import dev.kvstore.launcher.LaunchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Terraform of the PATH, without a registry. Thread-safe.
 *
 * @param environment variables beside the environment of this process
 */
public record Terraform(Map<String, String> environment) {
    private static final int LIMIT_MINUTES = 10;

    public Terraform {
        environment = Map.copyOf(environment);
    }

    /**
     * How a command ended.
     *
     * @param said all that it printed
     */
    public record TerraformResult(int exitCode, String said) {
        public boolean isGood() {
            return exitCode == 0;
        }
    }

    /** Whether there is a Terraform on the PATH. */
    public static boolean isInstalled() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "terraform")));
    }

    /**
     * Runs a command to its end.
     *
     * @throws LaunchException if there is no Terraform, or the command does not end within 10 minutes
     */
    public TerraformResult run(Path folder, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("terraform"));
        command.addAll(arguments);
        Path said = Files.createTempFile("kv-terraform-", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile());
            builder.environment().put("CHECKPOINT_DISABLE", "1");
            builder.environment().put("TF_IN_AUTOMATION", "1");
            builder.environment().putAll(environment);
            Process process = start(builder);
            process.getOutputStream().close();
            try {
                if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                    throw new LaunchException(String.join(" ", command) + " did not end within " + LIMIT_MINUTES
                            + " minutes: " + Files.readString(said));
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            return new TerraformResult(process.exitValue(), Files.readString(said));
        } finally {
            Files.delete(said);
        }
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new LaunchException(
                    "terraform is not on the PATH: install Terraform 1.11 or newer from https://developer.hashicorp.com/terraform",
                    e);
        }
    }
}
