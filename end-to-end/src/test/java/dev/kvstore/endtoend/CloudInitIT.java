package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * There is one cloud-init template: what the module cluster-vmss gives machines is deploy/machine/cloud-init.yaml,
 * which the tests of machines start from. With the system property {@code docs.write} that file is written again.
 */
class CloudInitIT {
    private static final String ROOT = """
            terraform {
              required_providers {
                azurerm = { source = "hashicorp/azurerm" }
              }
            }

            provider "azurerm" {
              features {}
            }

            module "cluster" {
              source                 = "../modules/cluster-vmss"
              name                   = "the-cluster"
              location               = "germanywestcentral"
              resource_group_name    = "rg"
              subnet_id              = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/data"
              private_dns_zone_id    = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateDnsZones/the.domain"
              source_image_id        = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/g/images/i/versions/1.0.0"
              admin_ssh_public_key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
              control_plane_endpoint = "the-host:9090"
              kvstore_region         = "the-region"
              key_vault_id           = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/the-vault"
              disk_tier              = { size = "424242G" }
            }

            output "cloud_init" {
              value = module.cluster.cloud_init
            }
            """;

    @Test
    void theModuleStartsMachinesFromTheTemplateOfDeployMachine() throws Exception {
        Path file = Home.current().path().resolve("deploy/machine/cloud-init.yaml");

        String rendered = rendered()
                .replace("the-host:9090", "<host:9090>")
                .replace("the-region", "<region>")
                .replace("the-cluster", "<cluster>")
                .replace("the.domain", "<domain>")
                .replace("the-vault", "<vault>")
                .replace("424242G", "<size>");

        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(file, rendered);
        }
        assertThat(file).hasContent(rendered);
    }

    private static String rendered() throws Exception {
        try (Workshop workshop = Workshop.open()) {
            Path folder = Files.createDirectories(workshop.root().resolve("terraform/machine"));
            Files.writeString(folder.resolve("main.tf"), ROOT);
            for (List<String> command : List.of(
                    List.of("init", "-no-color", "-input=false"),
                    List.of("apply", "-no-color", "-input=false", "-auto-approve"))) {
                Terraform.TerraformResult result = workshop.terraform().run(folder, command);
                assertThat(result.isGood()).as(result.said()).isTrue();
            }
            return workshop.terraform()
                    .run(folder, List.of("output", "-raw", "cloud_init"))
                    .said();
        }
    }
}
