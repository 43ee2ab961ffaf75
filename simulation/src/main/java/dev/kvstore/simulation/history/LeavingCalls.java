package dev.kvstore.simulation.history;

import dev.kvstore.simulation.fleet.Client;
import io.grpc.StatusRuntimeException;

/** Calls whose clients leave before they are answered. Nothing is promised of them; they must leave nothing behind. */
final class LeavingCalls {
    private final Client client;

    LeavingCalls(Client client) {
        this.client = client;
    }

    private static void leave(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            // The client is gone, and hears of nothing.
        }
    }

    void read(HistoryStep.LeaveRead read) {
        leave(() -> client.readAndLeave(read.plane(), read.prompt(), read.block(), read.millis()));
    }

    void readAll(HistoryStep.LeavePrompt read) {
        leave(() -> client.readAllAndLeave(read.plane(), read.prompt(), Plan.BLOCKS, read.millis()));
    }

    void write(HistoryStep.LeaveWrite write) {
        leave(() ->
                client.writeAndLeave(write.plane(), write.prompt(), write.block(), write.content(), write.millis()));
    }
}
