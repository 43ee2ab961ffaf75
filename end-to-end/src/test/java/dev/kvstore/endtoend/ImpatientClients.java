package dev.kvstore.endtoend;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.LocalStack;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Clients of the first data plane of a stack whose calls fail as soon as they are refused, and keys for them. Stateless. */
final class ImpatientClients {
    /** A change by an admin is heard of by data planes within this time. */
    static final Duration HEARD_WITHIN = Duration.ofSeconds(30);

    private ImpatientClients() {}

    static ApiKey newKey(AdminClient admin) throws InterruptedException {
        return new ApiKey(admin.send(RestRequest.post(
                        List.of("v1", "tenants", LocalStack.TENANT, "keys"), JsonNodeFactory.instance.objectNode()))
                .accepted()
                .body()
                .path("key")
                .asText());
    }

    static void revoke(AdminClient admin, ApiKey key) throws InterruptedException {
        admin.send(RestRequest.delete(List.of("v1", "tenants", LocalStack.TENANT, "keys", key.id())))
                .accepted();
    }

    static KvClient client(LocalStack stack, ApiKey key) {
        return client(stack, key, LocalStack.RESOURCE);
    }

    static KvClient client(LocalStack stack, ApiKey key, String resource) {
        return KvClient.builder()
                .endpoints(stack.dataPlane(0).endpoint())
                .resource(resource)
                .apiKey(key.text())
                .retry(RetryOptions.NONE)
                .build();
    }

    /** The code with which a lookup of a new prompt fails; empty if it does not fail. */
    static Optional<ErrorCode> refusal(KvClient client) {
        TestPrompt prompt = TestPrompt.unique(1);
        try {
            client.lookup(prompt.partition(), prompt.chain());
            return Optional.empty();
        } catch (KvStoreException e) {
            return Optional.of(e.code());
        }
    }

    static void awaitTaken(KvClient client) {
        await().atMost(HEARD_WITHIN).until(() -> refusal(client).isEmpty());
    }

    static void awaitRefused(KvClient client, ErrorCode code) {
        await().atMost(HEARD_WITHIN).until(() -> refusal(client).equals(Optional.of(code)));
    }
}
