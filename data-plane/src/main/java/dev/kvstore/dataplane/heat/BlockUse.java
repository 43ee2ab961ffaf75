package dev.kvstore.dataplane.heat;

/**
 * The uses of a block that were not reported yet.
 *
 * @param uses as {@link dev.kvstore.protocol.heat.Uses} counts them
 */
record BlockUse(UsedBlock block, double uses) {
    void takeBack() {
        block.takeBack(uses);
    }
}
