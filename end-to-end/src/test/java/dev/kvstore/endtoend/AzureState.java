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
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The resources of an applied configuration, and what its rules let pass: as Azure looks at them, first rule first. */
final class AzureState {
    private static final int BITS = 32;

    private final List<JsonNode> resources = new ArrayList<>();

    /** @param state as {@code terraform show -json} prints it */
    AzureState(JsonNode state) {
        collect(state.at("/values/root_module"));
    }

    private void collect(JsonNode module) {
        module.path("resources").forEach(resources::add);
        module.path("child_modules").forEach(this::collect);
    }

    /** The resources of a type. */
    Stream<JsonNode> of(String type) {
        return resources.stream()
                .filter(one -> one.path("type").asText().equals(type))
                .map(one -> one.path("values"));
    }

    /** The scale sets of machines. */
    Stream<JsonNode> machines() {
        return of("azurerm_orchestrated_virtual_machine_scale_set");
    }

    /** The files that machines of a scale set start with. */
    static String cloudInit(JsonNode machines) {
        return new String(
                Base64.getDecoder()
                        .decode(machines.at("/os_profile/0/custom_data").asText()),
                StandardCharsets.UTF_8);
    }

    /** The subnet of a scale set's machines. */
    JsonNode subnetOf(JsonNode machines) {
        return subnet(machines.at("/network_interface/0/ip_configuration/0/subnet_id"));
    }

    JsonNode subnet(JsonNode id) {
        return of("azurerm_subnet")
                .filter(one -> one.path("id").equals(id))
                .findFirst()
                .orElseThrow();
    }

    JsonNode network(JsonNode subnet) {
        return of("azurerm_virtual_network")
                .filter(one -> one.path("name").equals(subnet.path("virtual_network_name"))
                        && one.path("resource_group_name").equals(subnet.path("resource_group_name")))
                .findFirst()
                .orElseThrow();
    }

    boolean isSameNetwork(JsonNode one, JsonNode other) {
        return Objects.equals(network(one), network(other));
    }

    /** Whether the networks of two subnets are one, or are peered both ways. */
    boolean isConnected(JsonNode one, JsonNode other) {
        return isSameNetwork(one, other) || (isPeered(one, other) && isPeered(other, one));
    }

    private boolean isPeered(JsonNode from, JsonNode to) {
        return of("azurerm_virtual_network_peering")
                .anyMatch(peering -> peering.path("virtual_network_name")
                                .equals(network(from).path("name"))
                        && peering.path("resource_group_name")
                                .equals(network(from).path("resource_group_name"))
                        && peering.path("remote_virtual_network_id")
                                .equals(network(to).path("id"))
                        && peering.path("allow_virtual_network_access").asBoolean(true));
    }

    /** The private zones that a subnet's network asks. */
    Stream<JsonNode> zones(JsonNode subnet) {
        return of("azurerm_private_dns_zone")
                .filter(zone -> links(zone, subnet).findAny().isPresent());
    }

    /** The links of a zone to the network of a subnet. */
    Stream<JsonNode> links(JsonNode zone, JsonNode subnet) {
        return of("azurerm_private_dns_zone_virtual_network_link")
                .filter(one -> one.path("private_dns_zone_name").equals(zone.path("name"))
                        && one.path("resource_group_name").equals(zone.path("resource_group_name"))
                        && one.path("virtual_network_id").equals(network(subnet).path("id")));
    }

    /**
     * The faults that keep machines of a subnet from a port in another subnet, a sentence for each.
     *
     * @param what the thing that listens there, as the sentences name it
     */
    List<String> faults(JsonNode from, JsonNode to, int port, String what) {
        List<String> faults = new ArrayList<>();
        if (!isConnected(from, to)) {
            return List.of("its network is not peered with that of " + what);
        }
        if (!isAllowed(from, "Outbound", port, List.of("VirtualNetwork"), prefix(to))) {
            faults.add("a rule of its subnet keeps it from " + what);
        }
        if (!isAllowed(to, "Inbound", port, List.of("VirtualNetwork"), prefix(from))) {
            faults.add("a rule of the subnet of " + what + " keeps it away");
        }
        for (JsonNode subnet : List.of(from, to)) {
            if (isThere("azurerm_subnet_route_table_association", subnet)) {
                faults.add("a route table leads elsewhere from subnet "
                        + subnet.path("name").asText());
            }
        }
        return faults;
    }

    static String prefix(JsonNode subnet) {
        return subnet.at("/address_prefixes/0").asText();
    }

    /** Whether the first rule that speaks of a port allows it; without one Azure's own rules do. */
    boolean isAllowed(JsonNode subnet, String direction, int port, List<String> tags, @Nullable String prefix) {
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
                .filter(rule -> texts(rule, "destination_port_range").anyMatch(ports -> has(ports, port)))
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

    private static boolean has(String ports, int port) {
        if (ports.equals("*")) {
            return true;
        }
        String[] range = ports.split("-", -1);
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

    boolean isThere(String association, JsonNode subnet) {
        return of(association).anyMatch(one -> one.path("subnet_id").equals(subnet.path("id")));
    }

    static boolean contains(JsonNode list, JsonNode element) {
        return StreamSupport.stream(list.spliterator(), false).anyMatch(element::equals);
    }
}
