package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A newer version of the modules takes over what an older one made: what got another name in the code is no other thing
 * in Azure.
 */
class MovedBlocksIT {
    private static final Path CHECKOUT = Home.current().path();
    private static final long GIT_SECONDS = 60;
    /** Extracts the modules before their last change, or before what is not committed. */
    private static final String BEFORE = """
            cd "$1" || exit 1
            commit=HEAD
            git diff --quiet HEAD -- terraform/modules && commit=$(git log --format=%H -n 1 -- terraform/modules)^
            git archive "$commit" terraform/modules deploy/observability $(git ls-tree -r --name-only "$commit" | grep "/day-two.tf$") | tar -x -C "$2"
            """;

    private Workshop workshop;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        workshop = Workshop.open();
    }

    @AfterEach
    void close() {
        if (workshop != null) {
            workshop.close();
        }
    }

    @Test
    void theStateOfTheModulesBeforeTheirLastChangeLosesNothing() throws Exception {
        Path copy = workshop.root();
        Path before = Files.createDirectories(copy.resolve("before"));
        extract(before);
        Path configuration = configuration(before);
        Path now = Files.move(copy.resolve("terraform/modules"), copy.resolve("now"));
        Path modules = Files.move(before.resolve("terraform/modules"), copy.resolve("terraform/modules"));
        AppliedRoot root = AppliedRoot.of(workshop, "upgraded", Files.readString(configuration));
        root.apply();

        Files.move(modules, copy.resolve("gone"));
        Files.move(now, modules);
        root.terraform("init", "-input=false", "-no-color");

        assertThat(root.planned())
                .as(
                        "a moved block says where a resource went: https://developer.hashicorp.com/terraform/language/moved")
                .allSatisfy((address, action) -> assertThat(action).as(address).isIn("create", "update"));
    }

    @Test
    void aResourceOfAnotherNameIsMovedByABlockAndLostWithoutOne() throws Exception {
        Path module = workshop.root().resolve("terraform/modules/registered");
        Files.createDirectories(module);
        Files.writeString(module.resolve("main.tf"), identity("old"));
        AppliedRoot root =
                AppliedRoot.of(workshop, "moved", "module \"it\" {\n  source = \"../../modules/registered\"\n}\n");
        root.apply();

        Files.writeString(module.resolve("main.tf"), identity("new"));
        assertThat(root.planned())
                .containsEntry("module.it.azurerm_user_assigned_identity.old", "delete")
                .containsEntry("module.it.azurerm_user_assigned_identity.new", "create");

        Files.writeString(
                module.resolve("moved.tf"),
                "moved {\n  from = azurerm_user_assigned_identity.old\n  to   = azurerm_user_assigned_identity.new\n}\n");
        assertThat(root.planned()).isEmpty();
    }

    private static String identity(String name) {
        return """
                terraform {
                  required_providers {
                    azurerm = { source = "hashicorp/azurerm" }
                  }
                }

                resource "azurerm_user_assigned_identity" "%s" {
                  name                = "one"
                  location            = "germanywestcentral"
                  resource_group_name = "kv"
                }
                """.formatted(name);
    }

    /** It has lain elsewhere. */
    private static Path configuration(Path before) throws IOException {
        try (Stream<Path> files = Files.walk(before)) {
            Optional<Path> found =
                    files.filter(file -> file.endsWith("day-two.tf")).findFirst();
            assumeTrue(found.isPresent(), "missing: the modules before their last change, of a clone with its history");
            return found.orElseThrow();
        }
    }

    private static void extract(Path to) throws IOException, InterruptedException {
        Process git = new ProcessBuilder("bash", "-c", BEFORE, "before", CHECKOUT.toString(), to.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(git.waitFor(GIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
