package dev.kvstore.simulation.sockets;

import io.netty.channel.ChannelId;

/** The number of a socket in its world: Netty's own ids differ from process to process. */
record SocketId(long number) implements ChannelId {
    private static final long serialVersionUID = 1L;

    @Override
    public String asShortText() {
        return Long.toString(number);
    }

    @Override
    public String asLongText() {
        return asShortText();
    }

    @Override
    public int compareTo(ChannelId other) {
        return Long.compare(number, ((SocketId) other).number);
    }
}
