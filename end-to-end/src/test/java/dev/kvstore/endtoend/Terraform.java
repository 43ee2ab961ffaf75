package dev.kvstore.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Terraform of the PATH.
 *
 * @param environment variables beside the environment of this process
 */
record Terraform(Map<String, String> environment) {
    private static final int LIMIT_MINUTES = 10;

    Terraform {
        environment = Map.copyOf(environment);
    }

    /**
     * How a command ended.
     *
     * @param said all that it printed
     */
    record TerraformResult(int exitCode, String said) {
        boolean isGood() {
            return exitCode == 0;
        }
    }

    /** Runs a command to its end, which must come within 10 minutes. */
    TerraformResult run(Path folder, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("terraform"));
        command.addAll(arguments);
        Path said = Files.createTempFile("kv-terraform-", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError(command + " did not end: " + Files.readString(said));
            }
            return new TerraformResult(process.exitValue(), Files.readString(said));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Files.delete(said);
        }
    }
}
