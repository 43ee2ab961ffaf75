package dev.kvstore.listener;

import io.grpc.Context;
import io.grpc.ServerStreamTracer;
import org.jspecify.annotations.Nullable;

/**
 * Watches the length of the messages of one call that is not about blocks. These messages do not count towards that
 * memory, so that no caller takes memory from block calls by them; they are short instead. The transport calls from one
 * thread.
 */
public final class BriefMessages extends ServerStreamTracer {
    private static final Context.Key<BriefMessages> CURRENT = Context.key("kvstore.brief");

    private long bytes;
    private long limit;
    private @Nullable Runnable tooLong;

    /** No limit is set. */
    public BriefMessages() {}

    /** The limits of the call being started; null if the call is about blocks. */
    static @Nullable BriefMessages current() {
        return CURRENT.get();
    }

    /** Has an action run when a message is longer; on the transport's thread, before any message is asked for. */
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
