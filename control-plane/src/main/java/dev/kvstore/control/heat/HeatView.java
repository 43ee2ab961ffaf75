package dev.kvstore.control.heat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * The uses of an account's blocks in a region, as callers see them.
 *
 * @param region the region
 * @param blocks of which something is known; those used least are not known if there are very many
 * @param bytes of their buffers
 * @param hottest the fewest blocks that have most of the uses
 * @param partitions the partitions with the most uses first, {@value #MOST_PARTITIONS} at most
 */
public record HeatView(
        String resourceName,
        String region,
        long blocks,
        long bytes,
        List<Hottest> hottest,
        List<PartitionView> partitions) {
    static final int MOST_PARTITIONS = 100;

    private static final List<Double> SHARES = List.of(0.5, 0.8, 0.9, 0.95, 0.99);

    /**
     * The fewest blocks that have a share of the uses.
     *
     * @param uses share, 0 to 1
     */
    public record Hottest(double uses, long blocks, long bytes) {}

    /**
     * A partition.
     *
     * @param root its hash in hexadecimal digits
     * @param uses share of the account's, 0 to 1
     */
    public record PartitionView(String root, long blocks, long bytes, double uses) {}

    /** @param blocks the blocks, the most used first */
    static HeatView of(String resourceName, String region, List<BlockHeat> blocks) {
        // Uses become shares of the most used block's: numbers that a double can hold, whatever the year.
        double most = blocks.isEmpty() ? 0 : blocks.getFirst().uses();
        double all = shares(blocks, most).sum();
        List<PartitionView> partitions =
                blocks.stream()
                        .collect(Collectors.groupingBy(block -> block.name().root()))
                        .entrySet()
                        .stream()
                        .map(entry -> new PartitionView(
                                entry.getKey().hex(),
                                entry.getValue().size(),
                                bytes(entry.getValue()),
                                rounded(shares(entry.getValue(), most).sum() / all)))
                        .sorted(Comparator.comparingDouble(PartitionView::uses)
                                .reversed()
                                .thenComparing(PartitionView::root))
                        .limit(MOST_PARTITIONS)
                        .toList();
        return new HeatView(
                resourceName,
                region,
                blocks.size(),
                bytes(blocks),
                blocks.isEmpty()
                        ? List.of()
                        : SHARES.stream()
                                .map(share -> hottest(blocks, share, most, all))
                                .toList(),
                partitions);
    }

    private static DoubleStream shares(List<BlockHeat> blocks, double most) {
        return blocks.stream().mapToDouble(block -> Math.pow(2, block.uses() - most));
    }

    private static Hottest hottest(List<BlockHeat> blocks, double share, double most, double all) {
        double[] each = shares(blocks, most).toArray();
        double sum = 0;
        int count = 0;
        while (count < each.length && sum < share * all) {
            sum += each[count++];
        }
        return new Hottest(share, count, bytes(blocks.subList(0, count)));
    }

    private static long bytes(List<BlockHeat> blocks) {
        return blocks.stream().mapToLong(BlockHeat::bytes).sum();
    }

    private static double rounded(double share) {
        return Math.round(share * 10_000) / 10_000.0;
    }
}
