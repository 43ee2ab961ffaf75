package dev.kvstore.client.internal.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Keys and choices that the Python client makes, too: operations of both on one prompt meet at one process. */
class RoutingVectorsTest {
    private record Member(String name, int weight) {}

    private record Owner(String key, double unit, String owner) {}

    private record Prompts(String partition, List<int[]> prompts, List<String> keys) {}

    private record Vectors(Map<String, String> seeds, List<Member> members, List<Owner> owners, Prompts affinity) {}

    private final Vectors vectors = read();

    @Test
    void seedsOfNamesAreThePublishedOnes() {
        assertThat(vectors.seeds())
                .isNotEmpty()
                .allSatisfy((name, seed) ->
                        assertThat(hex(Rendezvous.seed(name))).as(name).isEqualTo(seed));
    }

    @Test
    void keysBelongToThePublishedProcesses() {
        assertThat(vectors.owners()).hasSizeGreaterThan(50).allSatisfy(owner -> {
            long key = HexFormat.fromHexDigitsToLong(owner.key());
            Member best = vectors.members().stream()
                    .max(Comparator.comparingDouble(
                            member -> Rendezvous.score(key, Rendezvous.seed(member.name()), member.weight())))
                    .orElseThrow();
            assertThat(best.name()).as(owner.key()).isEqualTo(owner.owner());
            assertThat(Rendezvous.unit(key)).isEqualTo(owner.unit());
        });
    }

    @Test
    void promptsHaveThePublishedKeysAsTheyAreLearntOneAfterTheOther() {
        Partition partition = Partition.of(vectors.affinity().partition(), 1);
        Affinity affinity = new Affinity(() -> {
            throw new AssertionError("no prompt of these is shared as a whole");
        });
        List<String> keys = vectors.affinity().prompts().stream()
                .map(prompt -> hex(affinity.of(BlockChain.of(partition, Tokens.of(prompt)))))
                .toList();
        assertThat(keys).isEqualTo(vectors.affinity().keys());
    }

    private static String hex(long bits) {
        return HexFormat.of().toHexDigits(bits);
    }

    private static Vectors read() {
        try (InputStream file =
                Objects.requireNonNull(RoutingVectorsTest.class.getResourceAsStream("/routing-vectors.json"))) {
            return new Gson().fromJson(new InputStreamReader(file, UTF_8), Vectors.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
