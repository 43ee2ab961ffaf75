package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each thing that keeps machines from Azure Monitor is found: {@link MonitorWay} is what examples are held against. */
class MonitorWayIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROOT = """
            terraform {
              required_providers {
                azurerm = { source = "hashicorp/azurerm" }
              }
            }

            provider "azurerm" {
              features {}
            }

            module "region" {
              source        = "../modules/region"
              name          = "eu-1"
              location      = "germanywestcentral"
              address_space = "10.64.0.0/16"
            }

            module "cluster" {
              source                 = "../modules/cluster-vmss"
              name                   = "eu-1-a"
              location               = module.region.location
              resource_group_name    = module.region.resource_group_name
              subnet_id              = module.region.subnet_ids["data"]
              private_dns_zone_id    = module.region.private_dns_zone_ids["data_planes"]
              source_image_id        = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/galleries/g/images/i/versions/1.0.0"
              admin_ssh_public_key   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBdsCRBhYQcLzfV0dDKEe3hdCWFCYqMKCPQ2SYFBo9+7 admin"
              control_plane_endpoint = "control.example.com:9090"
              kvstore_region         = "eu-1"
              key_vault_id           = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/vault"
              metrics                = { remote_write_url = module.monitoring.remote_write_url }
            }

            module "monitoring" {
              source                  = "../modules/monitoring"
              name                    = "kvstore"
              location                = module.region.location
              resource_group_name     = module.region.resource_group_name
              publisher_principal_ids = { eu-1-a = module.cluster.identity_principal_id }
              private_link = {
                eu-1 = {
                  location             = module.region.location
                  resource_group_name  = module.region.resource_group_name
                  subnet_id            = module.region.subnet_ids["endpoints"]
                  private_dns_zone_ids = module.region.monitor_private_dns_zone_ids
                }
              }
            }
            """;

    private static String applied = "";

    private JsonNode state = JSON.createObjectNode();

    @BeforeAll
    static void apply() throws Exception {
        try (Workshop workshop = Workshop.open()) {
            Path folder = Files.createDirectories(workshop.root().resolve("terraform/way"));
            Files.writeString(folder.resolve("main.tf"), ROOT);
            for (List<String> command : List.of(
                    List.of("init", "-no-color", "-input=false"),
                    List.of("apply", "-no-color", "-input=false", "-auto-approve"))) {
                Terraform.TerraformResult result = workshop.terraform().run(folder, command);
                assertThat(result.isGood()).as(result.said()).isTrue();
            }
            applied = workshop.terraform().run(folder, List.of("show", "-json")).said();
        }
    }

    @BeforeEach
    void read() throws Exception {
        state = JSON.readTree(applied);
    }

    @Test
    void asTheModulesMakeItTheWayIsOpen() {
        assertThat(MonitorWay.missing(new AzureState(state))).isEmpty();
    }

    @Test
    void aRuleThatComesFirstAndDeniesIsFound() {
        add("azurerm_network_security_rule", rule("nsg-eu-1-data", "Outbound", "destination", "VirtualNetwork"));
        add("azurerm_network_security_rule", rule("nsg-eu-1-endpoints", "Inbound", "source", "10.64.0.0/12"));

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly(
                        "vmss-eu-1-a: a rule of its subnet keeps it from the private endpoint",
                        "vmss-eu-1-a: a rule of the subnet of the private endpoint keeps it away");
    }

    @Test
    void aRuleOfAnotherPortOrAnotherRangeKeepsNobody() {
        add(
                "azurerm_network_security_rule",
                rule("nsg-eu-1-data", "Outbound", "destination", "VirtualNetwork")
                        .put("destination_port_range", "5432"));
        add("azurerm_network_security_rule", rule("nsg-eu-1-endpoints", "Inbound", "source", "10.80.0.0/16"));

        assertThat(MonitorWay.missing(new AzureState(state))).isEmpty();
    }

    @Test
    void aRouteTableIsFound() {
        add(
                "azurerm_subnet_route_table_association",
                JSON.createObjectNode()
                        .set("subnet_id", of("azurerm_subnet", "data").path("id")));

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly("vmss-eu-1-a: a route table leads elsewhere from subnet data");
    }

    @Test
    void anEndpointWithoutANameIsFound() {
        ((ObjectNode) of("azurerm_private_endpoint", "kvstore-ampls-eu-1")).putArray("private_dns_zone_group");

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly(
                        "vmss-eu-1-a: no zone privatelink.monitor.azure.com of its network has the private endpoint's names");
    }

    @Test
    void aScopeWithoutTheEndpointThatIsSentToIsFound() {
        ((ObjectNode) of("azurerm_monitor_private_link_scoped_service", "kvstore-dce")).put("linked_resource_id", "x");

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly("vmss-eu-1-a: the private endpoint's scope has not the endpoint that it sends to");
    }

    @Test
    void anIdentityThatMayNotSendIsFound() {
        ((ObjectNode) of("azurerm_user_assigned_identity", "id-eu-1-a")).put("principal_id", "another");

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly("vmss-eu-1-a: its identity is not Monitoring Metrics Publisher");
    }

    @Test
    void withoutAPrivateEndpointAGatewayIsNeededAndARuleForTheTag() {
        ((ObjectNode) of("azurerm_private_endpoint", "kvstore-ampls-eu-1")).putArray("private_service_connection");
        ((ObjectNode) of("azurerm_monitor_data_collection_endpoint", "kvstore-dce"))
                .put("public_network_access_enabled", true);

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly("vmss-eu-1-a: it has neither a private endpoint nor a gateway");

        ((ObjectNode) of("azurerm_network_security_rule", "out-monitor")).put("access", "Deny");
        add(
                "azurerm_subnet_nat_gateway_association",
                JSON.createObjectNode()
                        .set("subnet_id", of("azurerm_subnet", "data").path("id")));

        assertThat(MonitorWay.missing(new AzureState(state)))
                .containsExactly("vmss-eu-1-a: a rule of its subnet keeps it from Azure Monitor");
    }

    private static ObjectNode rule(String group, String direction, String side, String address) {
        return JSON.createObjectNode()
                .put("network_security_group_name", group)
                .put("resource_group_name", "rg-eu-1")
                .put("direction", direction)
                .put("priority", 90)
                .put("access", "Deny")
                .put("protocol", "Tcp")
                .put("destination_port_range", "400-500")
                .put(side + "_address_prefix", address);
    }

    private void add(String type, JsonNode values) {
        ((ObjectNode) state.at("/values/root_module"))
                .withArray("resources")
                .addObject()
                .put("type", type)
                .set("values", values);
    }

    private JsonNode of(String type, String name) {
        for (JsonNode module : state.at("/values/root_module/child_modules")) {
            for (JsonNode resource : module.path("resources")) {
                if (resource.path("type").asText().equals(type)
                        && resource.at("/values/name").asText().equals(name)) {
                    return resource.path("values");
                }
            }
        }
        throw new AssertionError("no " + type + " " + name);
    }
}
