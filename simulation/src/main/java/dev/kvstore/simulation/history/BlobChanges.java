package dev.kvstore.simulation.history;

import dev.kvstore.simulation.promise.Promises;
import dev.kvstore.simulation.storage.SimulatedContainer;
import dev.kvstore.simulation.world.World;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Tells the promises and the story of each change in a container. For the thread of its world.
 *
 * @param changed gets the name, within the partition, of each blob that changed
 */
record BlobChanges(World world, Promises promises, Story story, Consumer<String> changed)
        implements SimulatedContainer.Watcher {
    @Override
    public void put(String name, ByteBuffer bytes) {
        String block = SimulatedBlocks.ofBlob(name);
        String file = SimulatedBlocks.file(name);
        if (block != null) {
            int content = bytes.get(bytes.limit() - 1);
            story.say("storage has content " + content + " of " + block);
            promises.put(block, content, world.nanos());
        } else {
            story.say("storage has " + file + ", " + bytes.limit() + " bytes");
        }
        if (file.equals(SimulatedBlocks.DESCRIPTOR)) {
            promises.described();
        }
        changed.accept(file);
    }

    @Override
    public void gone(String name) {
        String block = SimulatedBlocks.ofBlob(name);
        String file = SimulatedBlocks.file(name);
        story.say("storage has " + (block == null ? file : block) + " no more");
        if (block != null) {
            promises.gone(block, world.nanos());
        }
        if (file.equals(SimulatedBlocks.DESCRIPTOR)) {
            promises.undescribed(world.nanos());
        }
        changed.accept(file);
    }
}
