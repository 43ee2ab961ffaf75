package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call to one process, from choosing it to its outcome; counted there as long. Thread-safe. */
final class Attempt {
    private final Endpoint endpoint;
    private final Deadline deadline;
    private final Time time;
    private final AtomicBoolean ended = new AtomicBoolean();

    Attempt(Endpoint endpoint, Deadline deadline, Time time) {
        this.endpoint = endpoint;
        this.deadline = deadline;
        this.time = time;
        endpoint.begun();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    <Q, R> ClientCall<Q, R> call(MethodDescriptor<Q, R> method) {
        return endpoint.call(method, deadline);
    }

    void succeeded() {
        end();
        endpoint.answered();
    }

    void failed(KvStoreException failure) {
        end();
        if (failure.code() == Status.Code.UNAVAILABLE) {
            endpoint.unavailable(time.nanos());
        }
    }

    /** The application lost interest: that says nothing about the process. */
    void abandoned() {
        end();
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            endpoint.ended();
        }
    }
}
