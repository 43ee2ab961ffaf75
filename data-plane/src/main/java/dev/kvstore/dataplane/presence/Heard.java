package dev.kvstore.dataplane.presence;

/**
 * What became of an announcement, in blocks; those of partitions that are not known here are neither.
 *
 * @param taken lookups look for them from now on
 * @param dropped there was no room for them; logs will tell
 */
public record Heard(int taken, int dropped) {}
