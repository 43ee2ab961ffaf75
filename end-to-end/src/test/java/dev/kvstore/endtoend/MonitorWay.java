package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What keeps machines from sending metrics to Azure Monitor, by the names, rules and rights of an applied
 * configuration: as Azure looks at them, first rule first.
 */
final class MonitorWay {
    private static final Pattern URL = Pattern.compile("- url: (\\S+)");
    private static final String HTTPS = "443";
    private static final String ZONE = "privatelink.monitor.azure.com";
    private static final String RIGHT = "Monitoring Metrics Publisher";
    private static final int BITS = 32;

    private final List<JsonNode> resources = new ArrayList<>();

    private MonitorWay(JsonNode module) {
        collect(module);
    }

    /**
     * What is missing, a sentence for each; empty if all machines send.
     *
     * @param state as {@code terraform show -json} prints it
     */
    static List<String> missing(JsonNode state) {
        MonitorWay way = new MonitorWay(state.at("/values/root_module"));
        return way.of("azurerm_orchestrated_virtual_machine_scale_set")
                .flatMap(set -> way.missingOf(set).stream()
                        .map(fault -> set.path("name").asText() + ": " + fault))
                .toList();
    }

    private void collect(JsonNode module) {
        module.path("resources").forEach(resources::add);
        module.path("child_modules").forEach(this::collect);
    }

    private List<String> missingOf(JsonNode set) {
        List<String> faults = new ArrayList<>();
        String data = new String(
                Base64.getDecoder().decode(set.at("/os_profile/0/custom_data").asText()), StandardCharsets.UTF_8);
        Matcher url = URL.matcher(data);
        if (!url.find()) {
            return List.of("its machines send to nobody");
        }
        JsonNode endpoint = of("azurerm_monitor_data_collection_endpoint")
                .filter(one -> url.group(1)
                        .startsWith(one.path("metrics_ingestion_endpoint").asText() + "/"))
                .findFirst()
                .orElseThrow();
        if (!maySend(set, endpoint)) {
            faults.add("its identity is not " + RIGHT);
        }
        JsonNode subnet = subnet(set.at("/network_interface/0/ip_configuration/0/subnet_id"));
        Optional<JsonNode> link = of("azurerm_private_endpoint")
                .filter(one -> one.at("/private_service_connection/0/subresource_names/0")
                        .asText()
                        .equals("azuremonitor"))
                .filter(one -> isSameNetwork(subnet, subnet(one.path("subnet_id"))))
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
        List<String> principals = of("azurerm_user_assigned_identity")
                .filter(one -> contains(set.at("/identity/0/identity_ids"), one.path("id")))
                .map(one -> one.path("principal_id").asText())
                .toList();
        List<String> rules = of("azurerm_monitor_data_collection_rule")
                .filter(one -> one.path("data_collection_endpoint_id").equals(endpoint.path("id")))
                .map(one -> one.path("id").asText())
                .toList();
        return of("azurerm_role_assignment")
                .anyMatch(one -> one.path("role_definition_name").asText().equals(RIGHT)
                        && rules.contains(one.path("scope").asText())
                        && principals.contains(one.path("principal_id").asText()));
    }

    private List<String> missingByLink(JsonNode from, JsonNode link, JsonNode endpoint) {
        List<String> faults = new ArrayList<>();
        JsonNode to = subnet(link.path("subnet_id"));
        JsonNode scope = link.at("/private_service_connection/0/private_connection_resource_id");
        boolean isInScope = of("azurerm_monitor_private_link_scoped_service")
                .anyMatch(one -> one.path("linked_resource_id").equals(endpoint.path("id"))
                        && scope.asText().endsWith("/" + one.path("scope_name").asText()));
        if (!isInScope) {
            faults.add("the private endpoint's scope has not the endpoint that it sends to");
        }
        boolean isFound = of("azurerm_private_dns_zone")
                .filter(zone -> zone.path("name").asText().equals(ZONE))
                .filter(zone -> contains(link.at("/private_dns_zone_group/0/private_dns_zone_ids"), zone.path("id")))
                .anyMatch(zone -> of("azurerm_private_dns_zone_virtual_network_link")
                        .anyMatch(one -> one.path("private_dns_zone_name").equals(zone.path("name"))
                                && one.path("resource_group_name").equals(zone.path("resource_group_name"))
                                && one.path("virtual_network_id")
                                        .equals(network(from).path("id"))));
        if (!isFound) {
            faults.add("no zone " + ZONE + " of its network has the private endpoint's names");
        }
        String prefix = from.at("/address_prefixes/0").asText();
        if (!isAllowed(
                from,
                "Outbound",
                List.of("VirtualNetwork"),
                to.at("/address_prefixes/0").asText())) {
            faults.add("a rule of its subnet keeps it from the private endpoint");
        }
        if (!isAllowed(to, "Inbound", List.of("VirtualNetwork"), prefix)) {
            faults.add("a rule of the private endpoint's subnet keeps it away");
        }
        for (JsonNode subnet : List.of(from, to)) {
            if (isThere("azurerm_subnet_route_table_association", subnet)) {
                faults.add("a route table leads elsewhere from subnet "
                        + subnet.path("name").asText());
            }
        }
        return faults;
    }

    private List<String> missingByGateway(JsonNode from) {
        List<String> faults = new ArrayList<>();
        if (!isThere("azurerm_subnet_nat_gateway_association", from)) {
            faults.add("it has neither a private endpoint nor a gateway");
        }
        if (!isAllowed(from, "Outbound", List.of("AzureMonitor", "Internet"), null)) {
            faults.add("a rule of its subnet keeps it from Azure Monitor");
        }
        return faults;
    }

    /** Whether the first rule that speaks of it allows HTTPS; without one Azure's own rules do. */
    private boolean isAllowed(JsonNode subnet, String direction, List<String> tags, @Nullable String prefix) {
        String side = direction.equals("Outbound") ? "destination" : "source";
        return of("azurerm_subnet_network_security_group_association")
                .filter(one -> one.path("subnet_id").equals(subnet.path("id")))
                .flatMap(one -> of("azurerm_network_security_group")
                        .filter(group -> group.path("id").equals(one.path("network_security_group_id"))))
                .flatMap(group -> of("azurerm_network_security_rule")
                        .filter(rule -> rule.path("network_security_group_name").equals(group.path("name"))
                                && rule.path("resource_group_name").equals(group.path("resource_group_name"))))
                .filter(rule -> rule.path("direction").asText().equals(direction))
                .filter(rule ->
                        List.of("*", "Tcp").contains(rule.path("protocol").asText()))
                .filter(rule -> texts(rule, "destination_port_range").anyMatch(MonitorWay::hasHttps))
                .filter(rule -> texts(rule, side + "_address_prefix")
                        .anyMatch(address -> address.equals("*")
                                || tags.contains(address)
                                || (prefix != null && holds(address, prefix))))
                .min(Comparator.comparingInt(rule -> rule.path("priority").asInt()))
                .map(rule -> rule.path("access").asText().equals("Allow"))
                .orElse(true);
    }

    /** An argument that is one text, and its sister that is several. */
    private static Stream<String> texts(JsonNode rule, String name) {
        JsonNode several = name.endsWith("x") ? rule.path(name + "es") : rule.path(name + "s");
        return Stream.concat(Stream.of(rule.path(name)), StreamSupport.stream(several.spliterator(), false))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }

    private static boolean hasHttps(String ports) {
        if (ports.equals("*")) {
            return true;
        }
        String[] range = ports.split("-", -1);
        int port = Integer.parseInt(HTTPS);
        return Integer.parseInt(range[0]) <= port && port <= Integer.parseInt(range[range.length - 1]);
    }

    /** Whether a range holds all of another one. A tag of Azure is no range. */
    private static boolean holds(String range, String other) {
        if (!range.matches("[0-9.]+/[0-9]+")) {
            return false;
        }
        int bits = Integer.parseInt(range.split("/", -1)[1]);
        int shift = BITS - bits;
        return bits <= Integer.parseInt(other.split("/", -1)[1])
                && number(range).shiftRight(shift).equals(number(other).shiftRight(shift));
    }

    private static BigInteger number(String range) {
        try {
            return new BigInteger(
                    1, InetAddress.getByName(range.split("/", -1)[0]).getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(range, e);
        }
    }

    private boolean isThere(String association, JsonNode subnet) {
        return of(association).anyMatch(one -> one.path("subnet_id").equals(subnet.path("id")));
    }

    private JsonNode subnet(JsonNode id) {
        return of("azurerm_subnet")
                .filter(one -> one.path("id").equals(id))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode network(JsonNode subnet) {
        return of("azurerm_virtual_network")
                .filter(one -> one.path("name").equals(subnet.path("virtual_network_name"))
                        && one.path("resource_group_name").equals(subnet.path("resource_group_name")))
                .findFirst()
                .orElseThrow();
    }

    private boolean isSameNetwork(JsonNode one, JsonNode other) {
        return Objects.equals(network(one), network(other));
    }

    private static boolean contains(JsonNode list, JsonNode element) {
        return StreamSupport.stream(list.spliterator(), false).anyMatch(element::equals);
    }

    private Stream<JsonNode> of(String type) {
        return resources.stream()
                .filter(one -> one.path("type").asText().equals(type))
                .map(one -> one.path("values"));
    }
}
