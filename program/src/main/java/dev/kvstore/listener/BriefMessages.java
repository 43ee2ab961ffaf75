package dev.kvstore.listener;

import io.grpc.Context;
import io.grpc.ServerStreamTracer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the length of the messages of one call that is not about blocks. These messages are short and do not count
 * towards the memory of block calls, so that no caller takes memory from these. The transport calls from one thread.
 */
public final class BriefMessages extends ServerStreamTracer {
    private static final Context.Key<BriefMessages> CURRENT = Context.key("kvstore.brief");

    private long bytes;
    private long limit;
    private @Nullable Runnable tooLong;

    /** Makes one without a limit. */
    public BriefMessages() {}

    /** The limits of the call being started; null if the call is about blocks. */
    static @Nullable BriefMessages current() {
        return CURRENT.get();
    }

    /**
     * Sets the limit and the action for a longer message. Must be called on the transport's thread, before any message
     * is requested.
     */
    void limit(long mostBytes, Runnable action) {
        limit = mostBytes;
        tooLong = action;
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(CURRENT, this);
    }

    @Override
    public void inboundMessage(int number) {
        bytes = 0;
    }

    @Override
    public void inboundWireSize(long size) {
        bytes += size;
        Runnable action = tooLong;
        if (bytes > limit && action != null) {
            tooLong = null;
            action.run();
        }
    }
}
