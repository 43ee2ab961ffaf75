package dev.kvstore.dataplane.heat;

/**
 * What was not told yet of a block's use.
 *
 * @param uses as {@link dev.kvstore.protocol.heat.Uses} counts them
 */
record BlockUse(UsedBlock block, double uses) {
    void takeBack() {
        block.takeBack(uses);
    }
}
