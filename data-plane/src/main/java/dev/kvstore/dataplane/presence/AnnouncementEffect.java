package dev.kvstore.dataplane.presence;

/**
 * The outcome of an announcement, in blocks. Blocks of partitions that are not known here are neither taken nor
 * dropped.
 *
 * @param taken blocks that lookups ask storage about from now on
 * @param dropped blocks for which there was no room; logs will have them
 */
public record AnnouncementEffect(int taken, int dropped) {}
