package dev.kvstore.simulation.history;

import dev.kvstore.simulation.world.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** The last events of a history, one line for each. */
final class Story {
    private static final int MOST_LINES = 2000;

    private final World world;
    private final String where;
    private final Queue<StoryLine> lines;

    private record StoryLine(long nanos, String what) {
        @Override
        public String toString() {
            long millis = nanos / 1_000_000;
            String seconds =
                    millis / 1000 + "." + Long.toString(1000 + millis % 1000).substring(1);
            return " ".repeat(Math.max(0, 9 - seconds.length())) + seconds + " s  " + what;
        }
    }

    Story(World world) {
        this(world, "", new ArrayDeque<>());
    }

    private Story(World world, String where, Queue<StoryLine> lines) {
        this.world = world;
        this.where = where;
        this.lines = lines;
    }

    /** The same story, told from a place: each line begins with the place. */
    Story from(String place) {
        return new Story(world, place + ": ", lines);
    }

    void say(String what) {
        if (lines.size() == MOST_LINES) {
            lines.remove();
        }
        lines.add(new StoryLine(world.nanos(), where + what));
    }

    List<String> lines() {
        return lines.stream().map(StoryLine::toString).toList();
    }
}
