package dev.kvstore.terraform.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A state over several runs, in an Azure that is pretended. */
@Tag("slow")
class PretendedAzureTest {
    private static final String CONFIGURATION = """
            terraform {
              required_providers {
                azurerm = { source = "hashicorp/azurerm" }
              }
            }

            provider "azurerm" {
              features {}
            }

            resource "azurerm_lb" "this" {
              name                = "lb"
              location            = "westeurope"
              resource_group_name = "rg"
              tags                = { a = "b" }

              frontend_ip_configuration {
                name = "front"
              }
            }

            output "all" {
              value = azurerm_lb.this
            }
            """;

    private Workshop workshop;
    private Path folder;

    @BeforeEach
    void apply() throws IOException, InterruptedException {
        assumeTrue(Terraform.isInstalled(), "missing: terraform, of https://developer.hashicorp.com/terraform");
        workshop = Workshop.openPretending();
        folder = Files.createDirectories(workshop.copy().root().resolve("terraform/pretended"));
        Files.writeString(folder.resolve("main.tf"), CONFIGURATION);
        good("init");
        good("apply", "-auto-approve");
    }

    @AfterEach
    void close() {
        if (workshop != null) {
            workshop.close();
        }
    }

    @Test
    void idsHaveTheFormOfAzuresAndTheResourcesOwnNames() throws Exception {
        JsonNode balancer = new ObjectMapper().readTree(good("output", "-json", "all"));

        assertThat(balancer.get("id").asText())
                .endsWith("/resourceGroups/rg/providers/Microsoft.Network/loadBalancers/lb");
        assertThat(balancer.get("frontend_ip_configuration").get(0).get("id").asText())
                .contains("/loadBalancers/lb")
                .endsWith("front");
    }

    @Test
    void aSecondPlanIsEmpty() throws Exception {
        assertThat(run("plan", "-detailed-exitcode").exitCode()).isZero();
    }

    @Test
    void aChangeIsDoneInPlaceAndANewNameReplaces() throws Exception {
        Files.writeString(folder.resolve("main.tf"), CONFIGURATION.replace("a = \"b\"", "a = \"c\""));
        assertThat(good("plan")).contains("0 to add, 1 to change, 0 to destroy");

        Files.writeString(folder.resolve("main.tf"), CONFIGURATION.replace("\"lb\"", "\"other\""));
        assertThat(good("plan")).contains("1 to add, 0 to change, 1 to destroy", "forces replacement");
    }

    @Test
    void destroyLeavesNothing() throws Exception {
        good("destroy", "-auto-approve");

        assertThat(good("state", "list")).isBlank();
    }

    private String good(String... arguments) throws IOException, InterruptedException {
        Terraform.TerraformResult result = run(arguments);
        assertThat(result.isGood()).as(result.said()).isTrue();
        return result.said();
    }

    private Terraform.TerraformResult run(String... arguments) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(workshop.terraform().environment());
        environment.put("TF_CLI_ARGS", "-no-color");
        return new Terraform(environment).run(folder, List.of(arguments));
    }
}
