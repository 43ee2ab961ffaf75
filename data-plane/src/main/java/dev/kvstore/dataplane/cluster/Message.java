package dev.kvstore.dataplane.cluster;

import dev.kvstore.protocol.peer.v1.AnnounceRequest;

/**
 * One message that all peers get.
 *
 * @param blocks in it, 1 to {@link Announcer#MAX_BLOCKS}
 */
record Message(AnnounceRequest content, int blocks) {}
