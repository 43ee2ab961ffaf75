package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds in an {@link AzureState} the names, rules and rights that keep machines from sending metrics to Azure Monitor. */
final class MonitorWay {
    private static final Pattern URL = Pattern.compile("- url: (\\S+)");
    private static final int HTTPS = 443;
    private static final String ZONE = "privatelink.monitor.azure.com";
    private static final String RIGHT = "Monitoring Metrics Publisher";

    private final AzureState azure;

    private MonitorWay(AzureState azure) {
        this.azure = azure;
    }

    /** The faults, a sentence for each; empty if all machines can send. */
    static List<String> missing(AzureState azure) {
        MonitorWay way = new MonitorWay(azure);
        return azure.machines()
                .flatMap(set -> way.missingOf(set).stream()
                        .map(fault -> set.path("name").asText() + ": " + fault))
                .toList();
    }

    private List<String> missingOf(JsonNode set) {
        List<String> faults = new ArrayList<>();
        Matcher url = URL.matcher(AzureState.cloudInit(set));
        if (!url.find()) {
            return List.of("its machines send to nobody");
        }
        JsonNode endpoint = azure.of("azurerm_monitor_data_collection_endpoint")
                .filter(one -> url.group(1)
                        .startsWith(one.path("metrics_ingestion_endpoint").asText() + "/"))
                .findFirst()
                .orElseThrow();
        if (!maySend(set, endpoint)) {
            faults.add("its identity is not " + RIGHT);
        }
        JsonNode subnet = azure.subnetOf(set);
        Optional<JsonNode> link = azure.of("azurerm_private_endpoint")
                .filter(one -> one.at("/private_service_connection/0/subresource_names/0")
                        .asText()
                        .equals("azuremonitor"))
                .filter(one -> azure.isSameNetwork(subnet, azure.subnet(one.path("subnet_id"))))
                .findFirst();
        if (link.isPresent()) {
            faults.addAll(missingByLink(subnet, link.get(), endpoint));
        } else if (!endpoint.path("public_network_access_enabled").asBoolean()) {
            faults.add("no private endpoint is in its network, and the endpoint is not public");
        } else {
            faults.addAll(missingByGateway(subnet));
        }
        return faults;
    }

    private boolean maySend(JsonNode set, JsonNode endpoint) {
        List<String> principals = azure.of("azurerm_user_assigned_identity")
                .filter(one -> AzureState.contains(set.at("/identity/0/identity_ids"), one.path("id")))
                .map(one -> one.path("principal_id").asText())
                .toList();
        List<String> rules = azure.of("azurerm_monitor_data_collection_rule")
                .filter(one -> one.path("data_collection_endpoint_id").equals(endpoint.path("id")))
                .map(one -> one.path("id").asText())
                .toList();
        return azure.of("azurerm_role_assignment")
                .anyMatch(one -> one.path("role_definition_name").asText().equals(RIGHT)
                        && rules.contains(one.path("scope").asText())
                        && principals.contains(one.path("principal_id").asText()));
    }

    private List<String> missingByLink(JsonNode from, JsonNode link, JsonNode endpoint) {
        List<String> faults = new ArrayList<>();
        JsonNode scope = link.at("/private_service_connection/0/private_connection_resource_id");
        boolean isInScope = azure.of("azurerm_monitor_private_link_scoped_service")
                .anyMatch(one -> one.path("linked_resource_id").equals(endpoint.path("id"))
                        && scope.asText().endsWith("/" + one.path("scope_name").asText()));
        if (!isInScope) {
            faults.add("the private endpoint's scope has not the endpoint that it sends to");
        }
        boolean isFound = azure.zones(from)
                .filter(zone -> zone.path("name").asText().equals(ZONE))
                .anyMatch(zone -> AzureState.contains(
                        link.at("/private_dns_zone_group/0/private_dns_zone_ids"), zone.path("id")));
        if (!isFound) {
            faults.add("no zone " + ZONE + " of its network has the private endpoint's names");
        }
        faults.addAll(azure.faults(from, azure.subnet(link.path("subnet_id")), HTTPS, "the private endpoint"));
        return faults;
    }

    private List<String> missingByGateway(JsonNode from) {
        List<String> faults = new ArrayList<>();
        if (!azure.isThere("azurerm_subnet_nat_gateway_association", from)) {
            faults.add("it has neither a private endpoint nor a gateway");
        }
        if (!azure.isAllowed(from, "Outbound", HTTPS, List.of("AzureMonitor", "Internet"), null)) {
            faults.add("a rule of its subnet keeps it from Azure Monitor");
        }
        return faults;
    }
}
