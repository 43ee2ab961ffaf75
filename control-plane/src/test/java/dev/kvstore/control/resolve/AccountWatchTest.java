package dev.kvstore.control.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.admin.change.ChangeReader;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.Patience;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A data plane watches for changes: the changes it is told. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class AccountWatchTest extends RegisteredAccounts {
    private static final int CONNECTIONS_OF_ADMINS = 20;

    @Inject
    @SuppressWarnings("NullAway.Init")
    ChangeReader changes;

    @Inject
    @SuppressWarnings("NullAway.Init")
    DataSource database;

    @Test
    void aWatchHearsOfARevocation() {
        String key = key("customer");
        String id = key.split("_", 3)[1];
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        long begin = watch.next().getChange();

        delete("/v1/tenants/customer/keys/" + id);

        WatchResponse heard = watch.next();
        while (!heard.getKeyIdsList().contains(id)) {
            heard = watch.next();
        }
        assertThat(heard.getChange()).isGreaterThan(begin);
    }

    @Test
    void aWatchThatNobodyReadsIsSentNoMoreThanAFewMessages() {
        ManagedChannel unread = NettyChannelBuilder.forAddress("127.0.0.1", grpcPort)
                .usePlaintext()
                .flowControlWindow(1)
                .build();
        try {
            ClientCall<WatchRequest, WatchResponse> call = ClientInterceptors.intercept(
                            unread, bearer(TestDatabase.JOIN_TOKEN))
                    .newCall(AccountServiceGrpc.getWatchMethod(), CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, new Metadata());
            call.sendMessage(WatchRequest.getDefaultInstance());
            call.halfClose();
            await().atMost(Patience.LIMIT).until(() -> feed.watchers() == 1 && feed.readers() == 1);

            for (int i = 0; i < 5; i++) {
                var _ = key("customer");
            }

            await().atMost(Patience.LIMIT).until(() -> feed.readers() == 0);
        } finally {
            unread.shutdownNow();
        }
    }

    @Test
    void aWatchHearsThatAnAccountMayBeServedForAnotherTimeWithoutThisControlPlane() {
        account("heard-of", "var/lib/heard-of");
        makeReady("heard-of");
        long before = resolve(key("customer"), "heard-of").getChange();

        offline("heard-of", 60);

        Iterator<WatchResponse> mine = Objects.requireNonNull(watch);
        WatchResponse heard = mine.next();
        while (!heard.getResourceNamesList().contains("heard-of") || heard.getChange() <= before) {
            heard = mine.next();
        }
        assertThat(heard.getReset()).isFalse();
    }

    @Test
    void aWatchThatWasAwayHearsOfWhatItMissed() {
        Iterator<WatchResponse> before = calls.watch(WatchRequest.getDefaultInstance());
        long since = before.next().getChange();
        String key = key("customer");
        String id = key.split("_", 3)[1];

        Iterator<WatchResponse> after =
                calls.watch(WatchRequest.newBuilder().setSince(since).build());

        assertThat(after.next().getKeyIdsList()).contains(id);
    }

    @Test
    void aDatabaseOfAnEarlierMomentHasWatchersForgetEverything() throws Exception {
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        // Without a number it begins with now, which is when it says something.
        watch.next();
        String id = key("customer").split("_", 3)[1];
        WatchResponse heard = watch.next();
        while (!heard.getKeyIdsList().contains(id)) {
            heard = watch.next();
        }

        execute("delete from change where id >= " + heard.getChange());

        assertThat(awaitReset(watch).getChange()).isLessThan(heard.getChange());
    }

    @Test
    void aChangeThatTouchesEverybodyHasWatchersForgetEverything() throws Exception {
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        long begin = watch.next().getChange();

        execute("""
                insert into change (at, actor, role, action, kind, name, key_ids, resource_names)
                values (now(), 'test', 'platform-admin', 'update', 'tenant', 'large', '{}', '{*}')""");

        assertThat(awaitReset(watch).getChange()).isGreaterThan(begin);
    }

    @Test
    void namesThatMeanSomethingElsewhereAreHeardOfAsTheyAre() {
        // Trials stay in the region of the storage.
        Iterator<WatchResponse> watch =
                calls.watch(WatchRequest.newBuilder().setRegion("eu-1").build());
        watch.next();
        Set<String> heard = new HashSet<>();
        Set<String> tried = new HashSet<>();
        // Words of SQL, JSON, YAML and of arrays of PostgreSQL, and numbers.
        List<String> names = List.of(
                "null",
                "NULL",
                "Null",
                "true",
                "false",
                "undefined",
                "nan",
                "NaN",
                "infinity",
                "default",
                "select",
                "0",
                "007",
                "1e5",
                "1.5",
                "a.b",
                "a_b",
                "a-b",
                "con",
                "none",
                "all",
                "any",
                "public",
                "x".repeat(63));
        for (String name : names) {
            account(name, "var/lib/named/" + name);
        }

        while (!heard.containsAll(names) || !tried.containsAll(names)) {
            WatchResponse news = watch.next();
            heard.addAll(news.getResourceNamesList());
            news.getProbesList().forEach(probe -> tried.add(probe.getResourceName()));
        }
        names.forEach(name -> delete("/v1/accounts/" + name));
    }

    @Test
    void aChangeWhoseNamesCannotBeReadConcernsEverythingAndKeepsNoLaterOneBack() throws Exception {
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        long begin = watch.next().getChange();
        long unreadable = changes.unreadable();

        execute("""
                insert into change (at, actor, role, action, kind, name, key_ids, resource_names)
                values (now(), 'test', 'platform-admin', 'update', 'account', 'null', '{}', '{NULL}')""");

        assertThat(awaitReset(watch).getChange()).isGreaterThan(begin);
        assertThat(changes.unreadable()).isGreaterThan(unreadable);
        String id = key("customer").split("_", 3)[1];
        while (!watch.next().getKeyIdsList().contains(id)) {
            // Not yet.
        }
    }

    @Test
    void adminsThatHaveAllTheirConnectionsKeepNoWatchFromHearing() throws Exception {
        Iterator<WatchResponse> watch = calls.watch(WatchRequest.getDefaultInstance());
        watch.next();
        List<Connection> taken = new ArrayList<>();
        try {
            while (taken.size() < CONNECTIONS_OF_ADMINS) {
                taken.add(database.getConnection());
            }
            // Once in each beat it hears something; after three without, the feed is not current any more.
            for (int beat = 0; beat < 5; beat++) {
                watch.next();
                assertThat(feed.isCurrent()).isTrue();
            }
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    private static WatchResponse awaitReset(Iterator<WatchResponse> watch) {
        WatchResponse heard = watch.next();
        while (!heard.getReset()) {
            heard = watch.next();
        }
        return heard;
    }
}
