package dev.kvstore.simulation.history;

import dev.kvstore.simulation.world.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** The last of what happened in a history, line by line. */
final class Story {
    private static final int MOST_LINES = 2000;

    private final World world;
    private final Queue<String> lines = new ArrayDeque<>();

    Story(World world) {
        this.world = world;
    }

    void say(String what) {
        if (lines.size() == MOST_LINES) {
            lines.remove();
        }
        lines.add("%9.3f s  %s".formatted(world.nanos() / 1e9, what));
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
