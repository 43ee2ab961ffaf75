package dev.kvstore.dataplane.block;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The blob beside a partition's blocks that has the partition's name: {@code partition.json}. */
public final class PartitionDescriptor {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PartitionDescriptor() {}

    /** The bytes of a partition's descriptor. */
    public static ByteBuffer encode(Partition partition) {
        return ByteBuffer.wrap(JsonNodeFactory.instance
                .objectNode()
                .put("partition", partition.name())
                .put("blockTokens", partition.blockTokens())
                .toString()
                .getBytes(UTF_8));
    }

    /**
     * The partition that a descriptor names; null if the descriptor is damaged, or names another partition. A root is
     * the hash of the name, so that no descriptor can claim another partition.
     *
     * @param blob its remaining bytes are read; its position does not move
     * @param root the root under which the descriptor lies
     */
    public static @Nullable Partition decode(ByteBuffer blob, BlockHash root) {
        byte[] bytes = new byte[blob.remaining()];
        blob.duplicate().get(bytes);
        try {
            JsonNode json = JSON.readTree(bytes);
            Partition partition = Partition.of(
                    json.path("partition").asText(), json.path("blockTokens").asInt());
            return partition.root().equals(root) ? partition : null;
        } catch (JacksonException | IllegalArgumentException e) {
            return null;
        } catch (IOException e) {
            throw new IllegalStateException("an array cannot fail to be read", e);
        }
    }
}
