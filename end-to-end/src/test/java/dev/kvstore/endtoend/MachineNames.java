package dev.kvstore.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Follows each name that machines start with (key vault, database, control plane, their own) through the zones of their
 * network to an address, and from their subnet to that address through routes and rules. {@link MonitorWay} does the
 * same for Azure Monitor. The names of Entra and of the image gallery are not among them: machines get their tokens from
 * an address of the host, and hosts fetch images.
 */
final class MachineNames {
    private static final Pattern VAULT = Pattern.compile("--vault https://([^ /]+)");
    private static final Pattern DATABASE = Pattern.compile("jdbc:postgresql://([^ /:]+)");
    private static final Pattern CONTROL_PLANE = Pattern.compile("--control-plane ([^ :]+):(\\d+)");
    private static final Pattern OWN = Pattern.compile("--advertise \\{hostname}\\.([^ :]+):(\\d+)");
    private static final String VAULT_ZONE = "privatelink.vaultcore.azure.net";
    private static final int HTTPS = 443;
    private static final int POSTGRES = 5432;

    private final AzureState azure;

    private MachineNames(AzureState azure) {
        this.azure = azure;
    }

    /** The names that lead a machine nowhere, a sentence for each; empty if there are none. */
    static List<String> unreached(AzureState azure) {
        MachineNames names = new MachineNames(azure);
        List<String> faults = new ArrayList<>();
        azure.machines()
                .forEach(set -> names.of(set)
                        .forEach(fault -> faults.add(set.path("name").asText() + ": " + fault)));
        if (azure.machines().findAny().isEmpty()) {
            faults.add("there are no machines");
        }
        return List.copyOf(faults);
    }

    private List<String> of(JsonNode set) {
        List<String> faults = new ArrayList<>();
        String files = AzureState.cloudInit(set);
        JsonNode from = azure.subnetOf(set);
        Matcher vault = VAULT.matcher(files);
        faults.addAll(vault.find() ? vault(from, vault.group(1)) : List.of("its files name no key vault"));
        Matcher database = DATABASE.matcher(files);
        Matcher controlPlane = CONTROL_PLANE.matcher(files);
        if (database.find()) {
            faults.addAll(database(from, database.group(1)));
        } else if (controlPlane.find()) {
            faults.addAll(balanced(from, controlPlane.group(1), Integer.parseInt(controlPlane.group(2))));
            faults.addAll(own(from, files));
        } else {
            faults.add("its files name neither a database nor a control plane");
        }
        return faults;
    }

    private List<String> vault(JsonNode from, String host) {
        Optional<JsonNode> vault = azure.of("azurerm_key_vault")
                .filter(one -> one.path("vault_uri").asText().equals("https://" + host + "/"))
                .findFirst();
        if (vault.isEmpty()) {
            return List.of("there is no key vault " + host);
        }
        Optional<JsonNode> zone = zone(from, VAULT_ZONE);
        if (zone.isEmpty()) {
            return List.of("its network has no zone " + VAULT_ZONE);
        }
        return azure.of("azurerm_private_endpoint")
                .filter(one -> one.at("/private_service_connection/0/private_connection_resource_id")
                        .equals(vault.get().path("id")))
                .filter(one -> AzureState.contains(
                        one.at("/private_dns_zone_group/0/private_dns_zone_ids"),
                        zone.get().path("id")))
                .findFirst()
                .map(one -> azure.faults(from, azure.subnet(one.path("subnet_id")), HTTPS, "the key vault"))
                .orElse(List.of("no private endpoint has the name " + host + " in the zone of its network"));
    }

    private List<String> database(JsonNode from, String host) {
        Optional<JsonNode> server = azure.of("azurerm_postgresql_flexible_server")
                .filter(one -> one.path("fqdn").asText().equals(host))
                .findFirst();
        if (server.isEmpty()) {
            return List.of("there is no database " + host);
        }
        boolean isFound = azure.zones(from)
                .anyMatch(zone -> zone.path("id").equals(server.get().path("private_dns_zone_id")));
        return isFound
                ? azure.faults(from, azure.subnet(server.get().path("delegated_subnet_id")), POSTGRES, "the database")
                : List.of("its network does not ask the zone of the database");
    }

    /** A name of a balancer, or of several, that has a rule for the port. */
    private List<String> balanced(JsonNode from, String host, int port) {
        Optional<JsonNode> zone = azure.zones(from)
                .filter(one -> host.endsWith("." + one.path("name").asText()))
                .findFirst();
        if (zone.isEmpty()) {
            return List.of("its network has no zone for " + host);
        }
        String name = host.substring(
                0, host.length() - zone.get().path("name").asText().length() - 1);
        Optional<JsonNode> entry = azure.of("azurerm_private_dns_a_record")
                .filter(one -> one.path("name").asText().equals(name)
                        && one.path("zone_name").equals(zone.get().path("name"))
                        && one.path("resource_group_name").equals(zone.get().path("resource_group_name")))
                .findFirst();
        if (entry.isEmpty()) {
            return List.of(host + " has no address");
        }
        Stream<JsonNode> balancers = azure.of("azurerm_lb")
                .filter(one -> AzureState.contains(entry.get().path("records"), one.path("private_ip_address")))
                .filter(one -> azure.of("azurerm_lb_rule")
                        .anyMatch(rule -> rule.path("loadbalancer_id").equals(one.path("id"))
                                && rule.path("frontend_port").asInt() == port));
        return balancers
                .findFirst()
                .map(one ->
                        azure.faults(from, azure.subnet(one.at("/frontend_ip_configuration/0/subnet_id")), port, host))
                .orElse(List.of("no balancer at the address of " + host + " takes port " + port));
    }

    /** The names under which machines are known register themselves, and machines of all networks ask each other. */
    private List<String> own(JsonNode from, String files) {
        Matcher own = OWN.matcher(files);
        if (!own.find()) {
            return List.of("its files have no name of its own");
        }
        Optional<JsonNode> zone = zone(from, own.group(1));
        if (zone.isEmpty()
                || azure.links(zone.get(), from)
                        .noneMatch(link -> link.path("registration_enabled").asBoolean())) {
            return List.of("no zone of its network registers its name in " + own.group(1));
        }
        int port = Integer.parseInt(own.group(2));
        return azure.machines()
                .filter(set -> CONTROL_PLANE.matcher(AzureState.cloudInit(set)).find())
                .map(azure::subnetOf)
                .flatMap(asking -> {
                    Stream<String> unknown =
                            azure.links(zone.get(), asking).findAny().isPresent()
                                    ? Stream.empty()
                                    : Stream.of("machines of " + network(asking) + " find no name of " + own.group(1));
                    return Stream.concat(
                            unknown,
                            azure.faults(asking, from, port, own.group(1)).stream()
                                    .map(fault -> "for machines of " + network(asking) + " " + fault));
                })
                .toList();
    }

    private String network(JsonNode subnet) {
        return azure.network(subnet).path("name").asText();
    }

    private Optional<JsonNode> zone(JsonNode subnet, String name) {
        return azure.zones(subnet)
                .filter(one -> Objects.equals(one.path("name").asText(), name))
                .findFirst();
    }
}
