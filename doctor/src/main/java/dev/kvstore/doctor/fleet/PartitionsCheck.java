package dev.kvstore.doctor.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether an account's engines share what they store. Each write and each read is a use; where an account has several
 * partitions and no block of them has a second use, its engines write for themselves alone.
 */
public record PartitionsCheck(AdminClient client, String account) implements Check {
    /** The fewest blocks of which anything can be said. */
    private static final int FEWEST = 64;

    /** Uses of a block that was written and never read. */
    private static final double WRITTEN = 1.05;

    /** Checks of all accounts of a fleet. */
    public static Stream<Check> of(AdminClient client, KnownFleet fleet) {
        return fleet.accounts().stream()
                .filter(account -> account.path("state").asText().equals("active"))
                .map(account ->
                        new PartitionsCheck(client, account.path("resourceName").asText()));
    }

    @Override
    public String subject() {
        return account;
    }

    @Override
    public CheckOutcome look() throws InterruptedException {
        JsonNode heat = client.send(RestRequest.get(List.of("v1", "accounts", account, "heat")))
                .accepted()
                .body();
        List<JsonNode> partitions = heat.path("partitions")
                .valueStream()
                .filter(partition -> partition.path("blocks").asLong() >= FEWEST)
                .toList();
        boolean unshared = partitions.stream()
                .allMatch(partition -> partition.path("uses").asDouble()
                        < WRITTEN * partition.path("blocks").asLong());
        return partitions.size() > 1 && unshared
                ? CheckOutcome.faulty(
                        FindingKind.PARTITION_UNSHARED,
                        account,
                        "none of its " + partitions.size() + " partitions has a block that was used again")
                : CheckOutcome.SOUND;
    }
}
