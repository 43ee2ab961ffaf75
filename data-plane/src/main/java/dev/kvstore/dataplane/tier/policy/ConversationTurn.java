package dev.kvstore.dataplane.tier.policy;

/** One request's part of a conversation: the blocks it was the first to have. */
final class ConversationTurn {
    /** The number of the request in its conversation, 1 for the first. */
    final int number;

    int blocks;

    ConversationTurn(int number) {
        this.number = number;
    }
}
