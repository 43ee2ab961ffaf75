package dev.kvstore.control.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Iterator;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A data plane watches for changes: the changes it is told. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class AccountWatchTest extends RegisteredAccounts {
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

    private static WatchResponse awaitReset(Iterator<WatchResponse> watch) {
        WatchResponse heard = watch.next();
        while (!heard.getReset()) {
            heard = watch.next();
        }
        return heard;
    }
}
