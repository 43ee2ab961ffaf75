package dev.kvstore.simulation.history;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.simulation.fleet.SimulatedAccount;
import dev.kvstore.simulation.fleet.SimulatedPrompts;
import dev.kvstore.simulation.plan.Plan;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The blocks of all histories: the names of their blobs, and their names in a story. */
final class SimulatedBlocks {
    static final SimulatedPrompts PROMPTS = new SimulatedPrompts(Plan.PROMPTS, Plan.BLOCKS);

    /** The names of all files of presence begin with this text. */
    static final String PRESENCE = "kv/v1/" + SimulatedPrompts.PARTITION.root().hex() + "/presence/";

    /** The file that says the partition's name. */
    static final String DESCRIPTOR = "partition.json";

    static final String DESCRIPTOR_BLOB =
            "kv/v1/" + SimulatedPrompts.PARTITION.root().hex() + "/" + DESCRIPTOR;

    private static final StorageLocation SOMEWHERE = new StorageLocation.Filesystem(Path.of(SimulatedAccount.FOLDER));
    private static final Map<String, String> NAMES = byBlob();

    private SimulatedBlocks() {}

    private static Map<String, String> byBlob() {
        Map<String, String> names = new HashMap<>();
        for (int prompt = 0; prompt < Plan.PROMPTS; prompt++) {
            for (int block = 0; block < Plan.BLOCKS; block++) {
                names.put(blob(prompt, block), name(prompt, block));
            }
        }
        return names;
    }

    static String blob(int prompt, int block) {
        return new BlockKey(SOMEWHERE, SimulatedPrompts.PARTITION.root(), PROMPTS.hash(prompt, block)).blobName();
    }

    /** The names of all blocks. */
    static Set<String> names() {
        return new TreeSet<>(NAMES.values());
    }

    static String name(int prompt, int block) {
        return "block " + prompt + "." + block;
    }

    /** The name of a blob within its partition. */
    static String file(String blob) {
        return blob.replace("kv/v1/" + SimulatedPrompts.PARTITION.root().hex() + "/", "");
    }

    /** The name in a story of the block that a blob is; null for other blobs. */
    static @Nullable String ofBlob(String blob) {
        return NAMES.get(blob);
    }
}
