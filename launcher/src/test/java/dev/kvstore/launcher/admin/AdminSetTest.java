package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code kv admin set}, and {@code put} of what {@code get} wrote: fields that the command does not name stay. */
class AdminSetTest extends AdminLine {
    private static final String ACCOUNT = """
            {"resourceName": "a", "tenant": "t", "homeRegion": "eu-1", "allowedRegions": [], "maxOfflineSeconds": 86400,
             "state": "active", "ready": true, "limits": {"operations": 0, "bytesPerSecond": 0}, "version": 7,
             "replicas": [{"region": "eu-1", "endpoint": "https://a.net", "container": "c", "credential": "env:A",
               "createContainer": false, "vouched": true, "state": "ready", "report": {"ok": true}}%s]}""";

    private static final String US =
            ", {\"region\": \"us-1\", \"endpoint\": \"https://b.net\", \"container\": \"c\", \"state\": \"ready\"}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cluster c addresses=h:1,h:2 | /v1/clusters/c | {'addresses':['h:1','h:2']}",
                "account a maxOfflineSeconds=300 | /v1/accounts/a | {'maxOfflineSeconds':300}",
                "account a --unset readThrough --unset allowedRegions | /v1/accounts/a "
                        + "| {'readThrough':null,'allowedRegions':null}",
                "account a --unset readThrough.withinMillis | /v1/accounts/a | {'readThrough':{'withinMillis':null}}",
                "grant g --account a access=read | /v1/accounts/a/grants/g | {'access':['read']}",
                "key k --tenant t label=x | /v1/tenants/t/keys/k | {'label':'x'}",
                "process p --cluster c draining=true | /v1/clusters/c/processes/p | {'draining':true}",
                "tenant t displayName=T --if-match 3 | /v1/tenants/t | {'displayName':'T'}",
            })
    void sendsTheFieldsThatAreNamedAndNoOthers(String what, String path, String body) throws Exception {
        peer.answers("PATCH " + path, 200, "{}");

        assertThat(run("set " + what)).isZero();

        RestPeer.PeerRequest sent = peer.requests().getFirst();
        assertThat(JSON.readTree(sent.body())).isEqualTo(JSON.readTree(body.replace('\'', '"')));
        assertThat(sent.header("Content-Type")).isEqualTo("application/merge-patch+json");
        assertThat(sent.header("If-Match")).isEqualTo(what.contains("--if-match") ? "\"3\"" : null);
    }

    @Test
    void aFieldOfAReplicaIsSentWithAllReplicasAsTheyWereSeen() throws Exception {
        peer.answers("GET /v1/accounts/a", 200, ACCOUNT.formatted(US)).answers("PATCH /v1/accounts/a", 200, "{}");

        assertThat(run("set account a region=us-1 container=new")).isZero();

        RestPeer.PeerRequest sent = peer.requests().getLast();
        assertThat(JSON.readTree(sent.body())).isEqualTo(JSON.readTree("""
                {"replicas": [{"region": "eu-1", "endpoint": "https://a.net", "container": "c", "credential": "env:A",
                   "createContainer": false, "vouched": true},
                 {"region": "us-1", "endpoint": "https://b.net", "container": "new"}]}"""));
        assertThat(sent.header("If-Match")).isEqualTo("\"7\"");
    }

    @Test
    void ofSeveralReplicasOneMustBeNamed() {
        peer.answers("GET /v1/accounts/a", 200, ACCOUNT.formatted(US));

        assertThat(run("set account a container=new")).isEqualTo(1);
        assertThat(run("set account a region=xx container=new")).isEqualTo(1);

        assertThat(err.toString()).contains("region=R must name one of the replicas of a, which are in eu-1, us-1");
        assertThat(peer.calls()).containsOnly("GET /v1/accounts/a");
    }

    @Test
    void theOnlyReplicaNeedsNoName() throws Exception {
        peer.answers("GET /v1/accounts/a", 200, ACCOUNT.formatted("")).answers("PATCH /v1/accounts/a", 200, "{}");

        assertThat(run("set account a credential=managed-identity")).isZero();

        assertThat(JSON.readTree(peer.requests().getLast().body())
                        .at("/replicas/0/credential")
                        .asText())
                .isEqualTo("managed-identity");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set cluster c | nothing would change",
                "set limits a operations=1 | there is no set for limits",
                "set account a --unset vouched | vouched is of a replica",
                "set account a --unset nosuch | nosuch: is no field of accounts",
            })
    void aCommandThatIsWrongAsksNothing(String command, String said) {
        assertThat(run(command)).isEqualTo(2);

        assertThat(err.toString()).contains(said);
        assertThat(peer.calls()).isEmpty();
    }

    private Path written(String json) throws Exception {
        return Files.writeString(folder.resolve("written.json"), json);
    }

    @Test
    void putsWhatGetWrote() throws Exception {
        peer.answers("GET /v1/accounts/a", 200, ACCOUNT.formatted(US)).answers("PUT /v1/accounts/a", 200, "{}");
        assertThat(run("get account a --json " + folder.resolve("got.json"))).isZero();

        assertThat(run("put account a --file " + folder.resolve("got.json") + " maxOfflineSeconds=60"))
                .isZero();

        RestPeer.PeerRequest sent = peer.requests().getLast();
        assertThat(JSON.readTree(sent.body())).isEqualTo(JSON.readTree("""
                {"tenant": "t", "homeRegion": "eu-1", "maxOfflineSeconds": 60,
                 "replicas": [{"region": "eu-1", "endpoint": "https://a.net", "container": "c", "credential": "env:A",
                   "createContainer": false, "vouched": true},
                 {"region": "us-1", "endpoint": "https://b.net", "container": "c"}]}"""));
        assertThat(sent.header("If-Match")).isEqualTo("\"7\"");
    }

    @Test
    void aFieldThatCannotBeSetMustBeAsItIs() throws Exception {
        peer.answers("GET /v1/accounts/a", 200, ACCOUNT.formatted(""));

        assertThat(run("put account a --file "
                        + written(ACCOUNT.formatted("").replace("\"ready\": true", "\"ready\": false"))))
                .isEqualTo(1);

        assertThat(err.toString()).contains("ready: cannot be set");
        assertThat(peer.calls()).containsExactly("GET /v1/accounts/a");
    }

    @Test
    void aPlacementIsFoundInTheListOfItsAccount() throws Exception {
        String placement =
                "{\"resourceName\": \"a\", \"region\": \"r\", \"cluster\": \"c\", \"pinned\": true, \"version\": 3}";
        peer.answers("GET /v1/accounts/a/placements?limit=1000", 200, "{\"items\": [" + placement + "]}")
                .answers("PUT /v1/accounts/a/placements/r", 200, "{}");

        assertThat(run("put placement r --account a --file " + written(placement)))
                .isZero();

        assertThat(JSON.readTree(peer.requests().getLast().body()))
                .isEqualTo(JSON.readTree("{\"cluster\": \"c\", \"pinned\": true}"));
    }

    @Test
    void aFileForSomethingNewIsSentAsItIs() throws Exception {
        peer.answers("PUT /v1/tenants/t", 400, "{\"title\": \"x\", \"detail\": \"createdAt is no field here\"}");

        assertThat(run("put tenant t --file " + written("{\"displayName\": \"T\", \"createdAt\": \"x\"}")))
                .isEqualTo(1);

        assertThat(err.toString()).contains("createdAt is no field here");
    }

    @Test
    void aFieldThatCountsInitiallyIsNotSentForWhatIsThere() throws Exception {
        peer.answers("PUT /v1/clusters/c", 412, "{\"title\": \"x\"}").answers("PATCH /v1/clusters/c", 200, "{}");

        assertThat(run("put cluster c region=r addresses=h:1 --initially state=active"))
                .isZero();

        assertThat(peer.requests().getFirst().header("If-None-Match")).isEqualTo("*");
        assertThat(JSON.readTree(peer.requests().getFirst().body()))
                .isEqualTo(JSON.readTree("{\"region\": \"r\", \"addresses\": [\"h:1\"], \"state\": \"active\"}"));
        assertThat(JSON.readTree(peer.requests().getLast().body()))
                .isEqualTo(JSON.readTree("{\"region\": \"r\", \"addresses\": [\"h:1\"]}"));
    }

    @Test
    void whatCountsInitiallyMakesSomethingNew() {
        peer.answers("PUT /v1/clusters/c", 201, "{}");

        assertThat(run("put cluster c region=r --initially state=active")).isZero();

        assertThat(peer.calls()).containsExactly("PUT /v1/clusters/c");
        assertThat(run("put cluster c region=r --initially state=active --if-absent"))
                .isEqualTo(2);
    }
}
