package dev.kvstore.terraform.azurerm;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.terraform.plugin.PlanResourceChange;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A real azurerm that plans without an account. Of some resources it looks things up in Azure when it plans, and ends at
 * once where it has none: it is started again, and not asked about these any more. Thread-safe; questions wait for each
 * other.
 */
final class RestartedAzurerm implements AutoCloseable {
    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> needingAzure = Collections.synchronizedSet(new TreeSet<>());
    private AzurermBinary running;
    private AzurermClient client;

    /**
     * Starts it.
     *
     * @param file the binary
     */
    RestartedAzurerm(Path file) throws IOException, InterruptedException {
        this.file = file;
        running = AzurermBinary.start(file);
        client = new AzurermClient(running);
    }

    /** A question to azurerm. */
    interface AzurermQuestion<T> {
        T of(AzurermClient client);
    }

    /** The answer to a question that needs no Azure. */
    <T> T ask(AzurermQuestion<T> question) {
        lock.lock();
        try {
            return question.of(client);
        } finally {
            lock.unlock();
        }
    }

    /** The plan for a resource; null if azurerm asks Azure for it. */
    PlanResourceChange.@Nullable Response plan(PlanResourceChange.Request request) {
        String type = request.getTypeName();
        lock.lock();
        try {
            return needingAzure.contains(type) ? null : client.plan(request);
        } catch (StatusRuntimeException _) {
            needingAzure.add(type);
            restart();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void restart() {
        close();
        try {
            running = AzurermBinary.start(file);
            client = new AzurermClient(running);
        } catch (IOException | InterruptedException e) {
            throw new LaunchException(file + " does not start again: " + e.getMessage(), e);
        }
    }

    /** Types of resources that it does not plan without Azure, as far as it was asked. */
    Set<String> needingAzure() {
        return new TreeSet<>(needingAzure);
    }

    @Override
    public void close() {
        client.close();
        running.close();
    }
}
