package dev.kvstore.dataplane.heat;

/**
 * What was not told yet of a block's use.
 *
 * @param parent the first 8 bytes of the name of the block before it, or of the root
 * @param bytes of its buffer
 * @param uses as {@link dev.kvstore.protocol.heat.Uses} counts them
 */
record Use(UsedBlock block, long parent, int bytes, double uses) {}
