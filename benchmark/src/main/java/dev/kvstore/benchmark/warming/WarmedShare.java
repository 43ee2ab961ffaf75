package dev.kvstore.benchmark.warming;

import dev.kvstore.launcher.stack.StackLayout;
import java.util.List;

/** How much of what is stored at home a region of its own is given before traffic moves there. */
enum WarmedShare {
    COLD("Cold", 0),
    HOT_10("Hot10", 10),
    HOT_25("Hot25", 25),
    HOT_40("Hot40", 40),
    ALL("All", 100);

    /** Home, and a region with one data plane for each share. */
    static final StackLayout LAYOUT = StackLayout.of(values().length + 1, 1, StackLayout.ROUND_TRIP);

    private final String key;
    private final int percent;

    WarmedShare(String key, int percent) {
        this.key = key;
        this.percent = percent;
    }

    /** In JSON, as in {@code hitRatioHot10}. */
    String key() {
        return key;
    }

    /** Of the bytes stored, 0 to 100. */
    int percent() {
        return percent;
    }

    String region() {
        return LAYOUT.regions().get(1 + List.of(values()).indexOf(this)).name();
    }

    /** For people. */
    @Override
    public String toString() {
        return switch (this) {
            case COLD -> "nothing";
            case ALL -> "everything";
            default -> "the hottest " + percent + " %";
        };
    }
}
