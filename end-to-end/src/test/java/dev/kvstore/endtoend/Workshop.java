package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A copy of Terraform's modules and examples in which Terraform applies: Azure is pretended, the provider kvstore is that
 * of this checkout. {@code kv terraform check --serve} keeps it.
 *
 * @param root holds {@code terraform} and {@code deploy}, as the checkout does
 */
record Workshop(Process process, Path root, Terraform terraform) implements AutoCloseable {
    /** Opens one; a test is skipped where Terraform or Go is missing. */
    static Workshop open() throws IOException {
        TerraformProgram.TERRAFORM.require();
        GoTool.requireGo();
        Path err = Files.createTempFile("kv-workshop-", ".err");
        String kv = Home.current().path().resolve("kv").toString();
        Process process = new ProcessBuilder(kv, "terraform", "check", "--serve")
                .redirectError(err.toFile())
                .start();
        String told = Objects.requireNonNullElse(process.inputReader().readLine(), "");
        assertThat(told).as(Files.readString(err)).isNotEmpty();
        Files.delete(err);
        JsonNode workshop = new ObjectMapper().readTree(told);
        Map<String, String> environment = new HashMap<>();
        workshop.path("environment")
                .properties()
                .forEach(each -> environment.put(each.getKey(), each.getValue().asText()));
        return new Workshop(process, Path.of(workshop.path("root").asText()), new Terraform(environment));
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            var _ = process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
