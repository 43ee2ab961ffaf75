package dev.kvstore.terraform.azurerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.terraform.check.Terraform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mistakes that Terraform finds by the stand-in for azurerm: each kind, with its line. */
@Tag("slow")
class AzurermStubTest {
    private static final String GOOD = """
            terraform {
              required_providers {
                azurerm = { source = "hashicorp/azurerm" }
              }
            }

            resource "azurerm_lb_rule" "grpc" {
              name                           = "grpc"
              loadbalancer_id                = "lb"
              frontend_ip_configuration_name = "frontend"
              protocol                       = "Tcp"
              frontend_port                  = 8085
              backend_port                   = 8085
              tcp_reset_enabled              = true
            }

            resource "azurerm_lb" "this" {
              name                = "lb"
              location            = "germanywestcentral"
              resource_group_name = "rg"
              sku                 = "Standard"

              frontend_ip_configuration {
                name = "frontend"
              }
            }

            resource "azurerm_subnet" "postgres" {
              name                 = "postgres"
              resource_group_name  = "rg"
              virtual_network_name = "vnet"
              address_prefixes     = ["10.64.18.0/24"]

              delegation {
                name = "postgres"

                service_delegation {
                  name = "Microsoft.DBforPostgreSQL/flexibleServers"
                }
              }
            }
            """;

    private static AzurermStub azurerm;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        assumeTrue(
                Terraform.isInstalled(),
                "missing: terraform, of https://developer.hashicorp.com/terraform, which the stand-in is for");
        azurerm = AzurermStub.start(Set.of("azurerm_lb", "azurerm_lb_rule", "azurerm_subnet"));
    }

    @AfterAll
    static void stop() {
        if (azurerm != null) {
            azurerm.close();
        }
    }

    @BeforeEach
    void initialize() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("main.tf"), GOOD);
        Terraform.TerraformResult init = terraform("init", "-no-color");
        assertThat(init.isGood()).as(init.said()).isTrue();
    }

    @Test
    void aGoodConfigurationIsValid() throws Exception {
        assertThat(terraform("validate", "-no-color").said()).contains("Success!");
    }

    @Test
    void anUnknownArgumentIsFound() throws Exception {
        assertThat(validated("tcp_reset_enabled ", "tcp_resets_enabled"))
                .contains("Unsupported argument", "on main.tf line 14", "tcp_resets_enabled");
    }

    @Test
    void aMissingArgumentIsFound() throws Exception {
        assertThat(validated("  backend_port                   = 8085\n", ""))
                .contains("Missing required argument", "\"backend_port\" is required");
    }

    @Test
    void aWrongTypeIsFound() throws Exception {
        assertThat(validated("= true", "= \"perhaps\""))
                .contains("Incorrect attribute value type", "a bool is required");
    }

    @Test
    void aBlockTooManyIsFound() throws Exception {
        assertThat(validated(
                        "    service_delegation {",
                        "    service_delegation {\n      name = \"other\"\n    }\n    service_delegation {"))
                .contains("Too many service_delegation blocks");
    }

    @Test
    void aValueThatAzurermRefusesIsFoundWithItsPage() throws Exception {
        assertThat(validated("\"Standard\"", "\"Standrd\""))
                .contains("on main.tf line 21", "one of Basic, Gateway, Standard", "azurerm/4.73.0/docs/resources/lb");
    }

    @Test
    void aNumberThatAzurermRefusesIsFound() throws Exception {
        assertThat(validated("= true", "= true\n  idle_timeout_in_minutes = 3")).contains("between 4 and 100");
    }

    @Test
    void argumentsThatExcludeEachOtherAreFound() throws Exception {
        assertThat(validated(
                        "    name = \"frontend\"",
                        "    name = \"frontend\"\n    subnet_id = \"a\"\n    public_ip_address_id = \"b\""))
                .contains("subnet_id cannot be where public_ip_address_id is set");
    }

    @Test
    void aResourceThatAzurermDoesNotHaveIsFound() throws Exception {
        assertThat(validated("azurerm_lb_rule\"", "azurerm_lb_ruler\"")).contains("azurerm_lb_ruler");
    }

    @Test
    void aPlanWithoutMocksIsRefusedAndNotMadeUp() throws Exception {
        Files.writeString(folder.resolve("provider.tf"), "provider \"azurerm\" {\n  features {}\n}\n");

        Terraform.TerraformResult plan = terraform("plan", "-no-color", "-input=false");

        assertThat(plan.isGood()).isFalse();
        assertThat(plan.said()).contains("not supported").doesNotContain("Plan:");
    }

    private String validated(String from, String to) throws IOException, InterruptedException {
        assertThat(GOOD).contains(from);
        Files.writeString(folder.resolve("main.tf"), GOOD.replaceFirst(java.util.regex.Pattern.quote(from), to));
        Terraform.TerraformResult result = terraform("validate", "-no-color");
        assertThat(result.isGood()).as(result.said()).isFalse();
        return result.said().replaceAll("\\s+", " ");
    }

    private Terraform.TerraformResult terraform(String... arguments) throws IOException, InterruptedException {
        Path nothing = folder.resolve("nothing.tfrc");
        Files.writeString(
                nothing, "provider_installation {\n  filesystem_mirror {\n    path = \"" + folder + "\"\n  }\n}\n");
        return new Terraform(
                        Map.of(RunningAzurerm.VARIABLE, azurerm.reattach(), "TF_CLI_CONFIG_FILE", nothing.toString()))
                .run(folder, List.of(arguments));
    }
}
