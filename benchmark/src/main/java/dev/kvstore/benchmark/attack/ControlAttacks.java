package dev.kvstore.benchmark.attack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.benchmark.attack.Attack.Target;
import dev.kvstore.launcher.admin.AdminClient;
import dev.kvstore.launcher.admin.AdminException;
import dev.kvstore.launcher.admin.Call;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Attacks of a viewer on the admin API. */
final class ControlAttacks {
    private static final int PUTS = 200;
    private static final int QUERIES = 40;

    private ControlAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "viewer-puts",
                        PUTS + " changes at a time that a viewer may not make",
                        Target.CONTROL_PLANE,
                        (scene, _) -> Asking.begin(
                                scene,
                                PUTS,
                                i -> Call.put(
                                        List.of("v1", "tenants", "viewers-" + i),
                                        JsonNodeFactory.instance.objectNode()),
                                false)),
                new Attack(
                        "heat-queries",
                        QUERIES + " questions at a time about the use of an account with 100,000 blocks",
                        Target.CONTROL_PLANE,
                        (scene, _) -> Asking.begin(
                                scene,
                                QUERIES,
                                _ -> Call.get(List.of(
                                        "v1", "accounts", scene.hostile().resource(), "heat")),
                                true)));
    }

    /** Requests of a viewer, one after the other in each of some threads. */
    private static final class Asking implements Attack.Running {
        private final AdminClient client;
        private final IntFunction<Call> calls;
        private final boolean allowed;
        private final AtomicLong won = new AtomicLong();
        private final Loop loop;

        private Asking(AdminClient client, int threads, IntFunction<Call> calls, boolean allowed) {
            this.client = client;
            this.calls = calls;
            this.allowed = allowed;
            this.loop = Loop.begin(threads, this::ask, client::close);
        }

        /** @param allowed whether a viewer may ask this, and wins nothing by an answer */
        static Asking begin(Scene scene, int threads, IntFunction<Call> calls, boolean allowed) {
            return new Asking(new AdminClient(URI.create(scene.rest()), scene.viewer()), threads, calls, allowed);
        }

        private void ask(int number) {
            try {
                var _ = client.send(calls.apply(number)).accepted();
                if (!allowed) {
                    won.incrementAndGet();
                }
            } catch (AdminException refused) {
                // It is not the viewer that must be served.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public long done() {
            return loop.done();
        }

        @Override
        public long won() {
            return won.get();
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
