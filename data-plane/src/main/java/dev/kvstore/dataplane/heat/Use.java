package dev.kvstore.dataplane.heat;

/**
 * What was not told yet of a block's use.
 *
 * @param uses as {@link dev.kvstore.protocol.heat.Uses} counts them
 */
record Use(UsedBlock block, double uses) {
    void takeBack() {
        block.takeBack(uses);
    }
}
