package dev.kvstore.control;

import io.grpc.stub.ServerCallStreamObserver;

/**
 * The server's side of a stream without a network: it takes messages while a test says that it is ready. For one
 * thread.
 */
public abstract class FakeCall<R> extends ServerCallStreamObserver<R> {
    private boolean ready = true;

    /** Has the client take messages, or not. */
    public final void ready(boolean now) {
        ready = now;
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void onError(Throwable reason) {}

    @Override
    public void onCompleted() {}

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}
}
