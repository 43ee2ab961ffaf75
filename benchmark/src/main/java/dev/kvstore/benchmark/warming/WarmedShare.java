package dev.kvstore.benchmark.warming;

import dev.kvstore.launcher.stack.StackLayout;
import java.util.List;

/**
 * How much of what is stored at home a region is given before traffic moves there.
 *
 * @param name in JSON, as in {@code hitRatioHot10}
 * @param percent of the bytes stored, 0 to 100
 */
record WarmedShare(String name, int percent, String region) {
    /** Each into a region of its own. */
    static final List<WarmedShare> ALL =
            of(List.of("Cold", "Hot10", "Hot25", "Hot40", "All"), List.of(0, 10, 25, 40, 100));

    private static List<WarmedShare> of(List<String> names, List<Integer> percents) {
        List<StackLayout.Region> regions =
                StackLayout.of(names.size() + 1, 1, StackLayout.ROUND_TRIP).regions();
        return java.util.stream.IntStream.range(0, names.size())
                .mapToObj(i -> new WarmedShare(
                        names.get(i), percents.get(i), regions.get(i + 1).name()))
                .toList();
    }

    /** For people. */
    String text() {
        return switch (percent) {
            case 0 -> "nothing";
            case 100 -> "everything";
            default -> "the hottest " + percent + " %";
        };
    }
}
