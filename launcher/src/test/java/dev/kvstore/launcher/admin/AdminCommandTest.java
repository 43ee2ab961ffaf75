package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Launcher;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code kv admin}, against a server that answers as a control plane does. */
class AdminCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine admin = Launcher.commandLine(new AdminCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    private Peer peer;
    private Path token;

    @BeforeEach
    void start() throws IOException {
        peer = new Peer();
        token = Files.writeString(folder.resolve("token"), "kva_secret\n");
        Files.writeString(folder.resolve("twice"), "{\"state\": \"suspended\", \"state\": \"active\"}");
        Files.writeString(folder.resolve("trailing"), "{} {}");
    }

    @AfterEach
    void stop() {
        peer.close();
    }

    private int run(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.addAll(1, List.of("--url", peer.url().toString(), "--token-file", token.toString()));
        return admin.execute(words.toArray(String[]::new));
    }

    @Test
    void listsAsATable() {
        peer.answers("GET /v1/tenants?limit=1000&state=active", 200, """
                {"items": [{"name": "acme", "displayName": "Acme Ltd", "state": "active", "version": 3},
                           {"name": "b", "displayName": "B", "state": "active", "version": 0}], "next": null}""");

        assertThat(run("get tenants --state active")).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "NAME  DISPLAY-NAME  STATE   UPDATED-AT  VERSION",
                        "acme  Acme Ltd      active  -           3",
                        "b     B             active  -           0");
        assertThat(peer.requests().getFirst().header("Authorization")).isEqualTo("Bearer kva_secret");
    }

    @Test
    void followsPagesUpToTheLimitAndSaysThatThereIsMore() {
        peer.answers(
                        "GET /v1/regions?limit=3",
                        200,
                        "{\"items\": [{\"name\": \"a\"}, {\"name\": \"b\"}], \"next\": \"x\"}")
                .answers("GET /v1/regions?cursor=x&limit=1", 200, "{\"items\": [{\"name\": \"c\"}], \"next\": \"y\"}");

        assertThat(run("get regions --limit 3")).isZero();

        assertThat(out.toString()).contains("\na ", "\nb ", "\nc ");
        assertThat(err.toString()).contains("the first 3", "--limit");
    }

    @Test
    void saysSoWhenThereIsNothing() {
        peer.answers("GET /v1/tenants/acme/keys?limit=1000", 200, "{\"items\": [], \"next\": null}");

        assertThat(run("get keys --tenant acme")).isZero();

        assertThat(out.toString()).isEqualTo("no keys\n");
    }

    @Test
    void showsOneWithEveryField() {
        peer.answers("GET /v1/accounts/acme.prod", 200, """
                {"resourceName": "acme.prod", "ready": false, "replicas": [{"region": "eu-1", "report": {"steps": [
                  {"name": "write", "ok": false, "reason": "403"}]}}]}""");

        assertThat(run("get account acme.prod")).isZero();

        assertThat(out.toString().lines())
                .anyMatch(line -> line.matches("ready +false"))
                .anyMatch(line -> line.matches("replicas\\[0]\\.report\\.steps\\[0]\\.reason +403"));
    }

    @Test
    void findsInTheListWhatHasNoAddressOfItsOwn() {
        peer.answers(
                "GET /v1/accounts/prod/placements?limit=1000",
                200,
                "{\"items\": [{\"region\": \"eu-1\", \"cluster\": \"a\"}, {\"region\": \"us-1\", \"cluster\": \"b\"}]}");

        assertThat(run("get placement us-1 --account prod")).isZero();
        assertThat(run("get placement ap-1 --account prod")).isEqualTo(1);

        assertThat(out.toString()).contains("cluster  b").doesNotContain("cluster  a");
        assertThat(err.toString()).isEqualTo("kv: there is no placement ap-1\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grants --account a             | GET /v1/accounts/a/grants?limit=1000",
                "grants --tenant t              | GET /v1/tenants/t/grants?limit=1000",
                "grant g --account a            | GET /v1/accounts/a/grants/g",
                "key k --tenant t               | GET /v1/tenants/t/keys/k",
                "accounts --tenant t --region r | GET /v1/accounts?limit=1000&region=r&tenant=t",
                "placements --account a         | GET /v1/accounts/a/placements?limit=1000",
                "region r                       | GET /v1/regions/r",
                "round-trips --region r         | GET /v1/regions/r/round-trips?limit=1000",
                "clusters --region r --state s  | GET /v1/clusters?limit=1000&region=r&state=s",
                "cluster c                      | GET /v1/clusters/c",
                "processes --cluster c          | GET /v1/clusters/c/processes?limit=1000",
                "process p --cluster c          | GET /v1/clusters/c/processes/p",
                "join-tokens --cluster c        | GET /v1/clusters/c/join-tokens?limit=1000",
                "join-token i --cluster c       | GET /v1/clusters/c/join-tokens/i",
                "refusals --actor x --tenant t | GET /v1/refusals?actor=x&limit=1000&tenant=t",
                "audit --kind key --actor x --tenant t --name n | GET /v1/audit?actor=x&kind=key&limit=1000&name=n&tenant=t",
                "tenant a/b                     | GET /v1/tenants/a%2Fb",
            })
    void knowsWhereEachKindIs(String what, String call) {
        peer.answers(call, 200, "{\"items\": []}");

        assertThat(run("get " + what)).isZero();

        assertThat(peer.calls()).containsExactly(call);
    }

    @Test
    void putsTheFieldsOfTheCommandOverThoseOfTheFile() throws Exception {
        peer.answers("PUT /v1/accounts/prod", 201, "{\"resourceName\": \"prod\"}");
        Path file = Files.writeString(
                folder.resolve("spec.json"),
                "{\"tenant\": \"x\", \"replicas\": [{\"region\": \"eu-1\", \"container\": \"old\"}, {\"region\": \"us-1\"}]}");

        assertThat(run("put account prod --file " + file + " tenant=acme container=new vouched=true"))
                .isZero();

        assertThat(JSON.readTree(peer.requests().getFirst().body())).isEqualTo(JSON.readTree("""
                                {"tenant": "acme", "replicas": [
                                  {"region": "eu-1", "container": "new", "vouched": true}, {"region": "us-1"}]}"""));
        assertThat(out.toString()).startsWith("created account prod\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tenant t displayName=A=B    | /v1/tenants/t | {'displayName':'A=B'}",
                "account a readThrough.from=us-1 readThrough.withinMillis=300 avoidedRegions=eu-1 "
                        + "| /v1/accounts/a | {'readThrough':{'from':'us-1','withinMillis':300},'avoidedRegions':['eu-1']}",
                "account a maxOfflineSeconds=0 | /v1/accounts/a | {'maxOfflineSeconds':0}",
                "limits a operations=5       | /v1/accounts/a/limits | {'operations':5}",
                "grant g --account a grantee=m access=read,write keyId=k "
                        + "| /v1/accounts/a/grants/g | {'grantee':'m','access':['read','write'],'keyId':'k'}",
                "placement r --account a cluster=c pinned=false "
                        + "| /v1/accounts/a/placements/r | {'cluster':'c','pinned':false}",
                "region r                    | /v1/regions/r | {}",
                "round-trip o --region r micros=80000 | /v1/regions/r/round-trips/o | {'micros':80000}",
                "cluster c region=r state=active | /v1/clusters/c | {'region':'r','state':'active'}",
                "cluster c region=r addresses=10.0.0.0/8:8085,*.kv.net | /v1/clusters/c "
                        + "| {'region':'r','addresses':['10.0.0.0/8:8085','*.kv.net']}",
                "cluster c region=r advertisedAddress=lb.net:443 | /v1/clusters/c "
                        + "| {'region':'r','advertisedAddress':'lb.net:443'}",
                "process p --cluster c address=h:1 numaNode=0 draining=true "
                        + "| /v1/clusters/c/processes/p | {'address':'h:1','numaNode':0,'draining':true}",
            })
    void putsEachKindWithValuesOfItsTypes(String what, String path, String body) throws Exception {
        peer.answers("PUT " + path, 200, "{}");

        assertThat(run("put " + what)).isZero();

        assertThat(JSON.readTree(peer.requests().getFirst().body())).isEqualTo(JSON.readTree(body.replace('\'', '"')));
        assertThat(out.toString()).startsWith("changed ");
    }

    @Test
    void whatOthersWroteDoesNotSteerTheTerminal() throws Exception {
        String steering = "\\u001b[2J\u009b2J\u202ex\u2028";
        peer.answers("GET /v1/tenants/t", 200, "{\"displayName\": \"" + steering + "\", \"" + steering + "\": 1}")
                .answers("GET /v1/tenants?limit=1000", 200, "{\"items\": [{\"name\": \"" + steering + "\"}]}")
                .answers("PUT /v1/tenants/t", 400, "{\"detail\": \"" + steering + "\"}")
                .answers("GET /v1/warmings/w", 200, "{\"state\": \"failed\", \"flaw\": \"" + steering + "\"}");

        for (String command : List.of(
                "get tenant t",
                "get tenants",
                "put tenant t",
                "warming watch w",
                "get tenant t --json",
                "get tenants --json")) {
            var _ = run(command);
        }

        assertThat(out.toString() + err).contains("?[2J?2J?x?").doesNotContainPattern("[\\p{Cc}\u2028\u202e&&[^\n]]");
        assertThat(out.toString()).contains("\\u001B[2J\\u009b2J\\u202ex\\u2028");
    }

    @Test
    void sendsTheConditionsOfAChange() {
        peer.answers("PUT /v1/tenants/t", 200, "{}").answers("DELETE /v1/tenants/t", 204, "");

        assertThat(run("put tenant t --if-match 3")).isZero();
        assertThat(run("put tenant t --if-absent")).isZero();
        assertThat(run("delete tenant t --if-match *")).isZero();

        assertThat(peer.requests().get(0).header("If-Match")).isEqualTo("\"3\"");
        assertThat(peer.requests().get(1).header("If-None-Match")).isEqualTo("*");
        assertThat(peer.requests().get(2).header("If-Match")).isEqualTo("*");
    }

    @Test
    void deletesAndRevokes() {
        peer.answers("DELETE /v1/tenants/t/keys/k", 204, "").answers("DELETE /v1/accounts/a/grants/g", 204, "");

        assertThat(run("delete key k --tenant t")).isZero();
        assertThat(run("delete grant g --account a")).isZero();

        assertThat(out.toString()).isEqualTo("revoked key k\ndeleted grant g\n");
    }

    @Test
    void createsAndRevokesJoinTokens() {
        peer.answers("POST /v1/clusters/c/join-tokens", 201, "{\"id\": \"k1\", \"token\": \"kvj_k1_secret\"}")
                .answers("DELETE /v1/clusters/c/join-tokens/k1", 204, "");

        assertThat(run("create join-token --cluster c --label rack --expires-at 2027-01-01T00:00:00Z"))
                .isZero();
        assertThat(run("delete join-token k1 --cluster c")).isZero();

        assertThat(out.toString()).contains("kvj_k1_secret").endsWith("revoked join-token k1\n");
        assertThat(peer.requests().getFirst().body())
                .isEqualTo("{\"label\":\"rack\",\"expiresAt\":\"2027-01-01T00:00:00Z\"}");
    }

    @Test
    void createsAndRotatesKeys() throws Exception {
        peer.answers("POST /v1/tenants/t/keys", 201, "{\"id\": \"abc\", \"key\": \"kv_abc_secret\"}")
                .answers("POST /v1/tenants/t/keys/abc/rotate", 201, "{\"id\": \"def\", \"key\": \"kv_def_secret\"}");

        assertThat(run("create key --tenant t --label first --expires-at 2027-01-01T00:00:00Z"))
                .isZero();
        assertThat(run("rotate key abc --tenant t --overlap 60")).isZero();

        assertThat(out.toString()).contains("key  kv_abc_secret", "key  kv_def_secret");
        assertThat(JSON.readTree(peer.requests().get(0).body()))
                .isEqualTo(JSON.readTree("{\"label\": \"first\", \"expiresAt\": \"2027-01-01T00:00:00Z\"}"));
        assertThat(JSON.readTree(peer.requests().get(1).body())).isEqualTo(JSON.readTree("{\"overlapSeconds\": 60}"));
    }

    @Test
    void hasAnAccountTriedAgain() {
        peer.answers("POST /v1/accounts/a/probe", 202, "");

        assertThat(run("probe account a")).isZero();

        assertThat(out.toString()).contains("kv admin get account a");
    }

    @Test
    void drainsAClusterAsItWasSeen() throws Exception {
        peer.answers(
                        "GET /v1/clusters/c",
                        200,
                        "{\"name\": \"c\", \"region\": \"r\", \"state\": \"active\", \"version\": 7}")
                .answers("PUT /v1/clusters/c", 200, "{\"name\": \"c\", \"state\": \"draining\", \"version\": 8}");

        assertThat(run("cluster drain c")).isZero();

        assertThat(peer.requests().getLast().header("If-Match")).isEqualTo("\"7\"");
        assertThat(JSON.readTree(peer.requests().getLast().body()))
                .isEqualTo(JSON.readTree("{\"region\": \"r\", \"state\": \"draining\"}"));
        assertThat(out.toString()).startsWith("c is draining\n");
    }

    @Test
    void showsARouteAndWhyItIsSo() {
        peer.answers("GET /v1/routes/a?explain=true&region=r", 200, """
                {"resourceName": "a", "version": "v1", "region": "r",
                 "levels": [{"region": "r", "roundTripMicros": 0, "share": 1000, "panic": true, "targets": [
                     {"cluster": "c", "process": "p0", "instance": "i", "address": "h:1", "weight": 500}]}],
                 "reasons": [{"cluster": "d", "region": "r", "routed": false, "text": "draining"}]}""");

        assertThat(run("routes a --region r --explain")).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "seen from r, version v1",
                        "",
                        "LEVEL    REGION  ROUND-TRIP-MICROS  SHARE  CLUSTER  PROCESS  ADDRESS  WEIGHT",
                        "1 panic  r       0                  1000   c        p0       h:1      500",
                        "",
                        "CLUSTER  REGION  ROUTED  TEXT",
                        "d        r       false   draining");
    }

    @Test
    void saysThatNothingServes() {
        peer.answers("GET /v1/routes/a", 200, "{\"version\": \"v1\", \"region\": \"r\", \"levels\": []}");

        assertThat(run("routes a")).isZero();

        assertThat(out.toString()).endsWith("nothing serves a; --explain says why\n");
    }

    @Test
    void showsHowFewBlocksHaveMostOfTheUses() {
        peer.answers("GET /v1/accounts/a/heat?region=r", 200, """
                {"resourceName": "a", "region": "r", "blocks": 1000, "bytes": 1200000000,
                 "hottest": [{"uses": 0.5, "blocks": 10, "bytes": 12000000}],
                 "partitions": [{"root": "0f", "blocks": 1000, "bytes": 1200000000, "uses": 1.0}]}""");

        assertThat(run("heat a --region r")).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "a in r: 1,000 blocks of late, 1,200 MB; a use counts half as much as one 5 minutes later",
                        "",
                        "USES    BLOCKS  BYTES",
                        "50.0 %  10      12000000",
                        "",
                        "ROOT  USES     BLOCKS  BYTES",
                        "0f    100.0 %  1000    1200000000");
    }

    @Test
    void saysThatNobodyToldOfAnyUse() {
        peer.answers("GET /v1/accounts/a/heat", 200, "{\"resourceName\": \"a\", \"region\": \"r\", \"blocks\": 0}");

        assertThat(run("heat a")).isZero();

        assertThat(out.toString()).startsWith("nobody told of any use of a in r so far");
    }

    private static final String WARMING = """
            {"id": "w-1", "state": "%s", "blocks": {"all": 10, "copied": %d, "present": 1, "failed": 0, "left": %d},
             "bytes": {"all": 12000000, "left": %d}, "rate": 2400000, "eta": %s}""";

    @Test
    void warmsAndFollowsItToItsEnd() throws Exception {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"))
                .answers("GET /v1/warmings/w-1", 200, WARMING.formatted("done", 9, 0, 0, "null"));

        assertThat(run("warm acme --from a --to b --hottest 1.5G --rate 20M --preheat memory --partition p"))
                .isZero();

        assertThat(JSON.readTree(peer.requests().getFirst().body())).isEqualTo(JSON.readTree("""
                        {"resourceName": "acme", "from": "a", "to": "b", "bytesPerSecond": 20000000, "preheat": "memory",
                         "select": {"hottestBytes": 1500000000, "partition": "p"}}"""));
        assertThat(err.toString().lines())
                .containsExactly(
                        "w-1",
                        "done     [########################] 100 %  10 of 10 blocks, 12.0 MB of 12.0 MB; 1 there already");
        assertThat(out.toString()).contains("state");
    }

    @Test
    void aWarmingThatFailedInPartsIsAFailure() {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"))
                .answers("GET /v1/warmings/w-1", 200, WARMING.formatted("partial", 8, 0, 0, "null"));

        assertThat(run("warm acme --from a --to b --all")).isEqualTo(1);
    }

    @Test
    void whoFollowsAWarmingThatEndsBadlyHasFailed() {
        for (String state : List.of("failed", "partial", "cancelled")) {
            peer.answers("GET /v1/warmings/w-1", 200, WARMING.formatted(state, 8, 0, 0, "null"));

            assertThat(run("warming watch w-1")).as(state).isEqualTo(1);
        }
        peer.answers("GET /v1/warmings/w-1", 200, WARMING.formatted("done", 9, 0, 0, "null"));

        assertThat(run("warming watch w-1")).isZero();
    }

    @Test
    void whoFollowsAWarmingOutlivesAControlPlaneThatIsAwayForAMoment() {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"))
                .answers("GET /v1/warmings/w-1", 200, WARMING.formatted("done", 9, 0, 0, "null"))
                .answersOnce("GET /v1/warmings/w-1", 503, "{\"title\": \"Unavailable\"}");

        assertThat(run("warm acme --from a --to b --all")).isZero();
    }

    @Test
    void aStandingWarmingIsNotWaitedFor() throws Exception {
        peer.answers("POST /v1/warmings", 201, WARMING.formatted("planning", 0, 9, 10_800_000, "null"));

        assertThat(run("warm acme --from a --to b --used --every 10m")).isZero();

        JsonNode body = JSON.readTree(peer.requests().getFirst().body());
        assertThat(body.path("everySeconds").asInt()).isEqualTo(600);
        assertThat(body.at("/select/used").asBoolean()).isTrue();
        assertThat(peer.requests()).hasSize(1);
    }

    @Test
    void aFailoverIsShownAndChangesNothingUntilItIsConfirmed() throws Exception {
        peer.answers("GET /v1/accounts/acme/failover/us-1", 200, """
                {"from": "eu-1", "to": "us-1", "done": false, "cold": {"blocks": 7}, "coldUses": 0.4}""");
        peer.answers("POST /v1/accounts/acme/failover/us-1", 200, "{\"from\": \"eu-1\", \"done\": true}");

        assertThat(run("failover acme --to us-1")).isZero();

        assertThat(peer.calls()).containsExactly("GET /v1/accounts/acme/failover/us-1");
        assertThat(out.toString())
                .contains(
                        "cold.blocks",
                        "kv admin warm acme --from eu-1 --to us-1 --used",
                        "nothing has changed; to do it: kv admin failover acme --to us-1 --yes");

        assertThat(run("failover acme --to us-1 --leave --yes")).isZero();

        assertThat(peer.calls()).last().isEqualTo("POST /v1/accounts/acme/failover/us-1");
        assertThat(JSON.readTree(peer.requests().getLast().body())).isEqualTo(JSON.readTree("{\"leave\": true}"));
        assertThat(out.toString()).contains("acme: us-1 is home now");
    }

    @Test
    void aRunningWarmingSaysHowFarItIsAndHowLongTheRestTakes() throws Exception {
        assertThat(WarmingProgress.line(JSON.readTree(WARMING.formatted("running", 4, 5, 6_000_000, "3725"))))
                .isEqualTo("running  [############            ]  50 %  5 of 10 blocks, 6.00 MB of 12.0 MB, 2.40 MB/s,"
                        + " 1:02:05 left; 1 there already");
    }

    @Test
    void failuresOfAWarmingAreListedWithTheirReasons() {
        peer.answers("GET /v1/warmings/w-1/failures?limit=1000", 200, """
                {"items": [{"root": "0f", "hash": "1e", "reason": "it is not at the source any more"}], "next": null}""");

        assertThat(run("warming failures w-1")).isZero();

        assertThat(out.toString().lines())
                .containsExactly("ROOT  HASH  REASON", "0f    1e    it is not at the source any more");
    }

    @Test
    void aWarmingWaitsGoesOnAndEnds() {
        for (String verb : List.of("pause", "resume", "cancel")) {
            peer.answers("POST /v1/warmings/w-1/" + verb, 200, WARMING.formatted(verb, 0, 9, 10_800_000, "null"));
            assertThat(run("warming " + verb + " w-1")).isZero();
        }
    }

    @Test
    void printsJsonInsteadOfATable() throws Exception {
        peer.answers("GET /v1/regions?limit=1000", 200, "{\"items\": [{\"name\": \"a\"}], \"next\": null}");

        assertThat(run("get regions --json")).isZero();

        assertThat(JSON.readTree(out.toString()).at("/items/0/name").asText()).isEqualTo("a");
    }

    @Test
    void writesJsonToAFileOfItsOwnersAsOtherVerbsDo() throws Exception {
        peer.answers("POST /v1/tenants/t/keys", 201, "{\"key\": \"kv_abc_secret\"}");
        Path file = folder.resolve("key.json");

        assertThat(run("create key --tenant t --json " + file)).isZero();

        assertThat(JSON.readTree(file.toFile()).path("key").asText()).isEqualTo("kv_abc_secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(out.toString()).contains("kv_abc_secret");
    }

    @Test
    void saysWhatTheControlPlaneHasAgainstIt() {
        peer.answers("PUT /v1/tenants/t", 400, """
                {"title": "The request is not valid", "status": 400, "detail": "displayName is too long",
                 "errors": [{"field": "displayName", "detail": "is too long"}, {"field": "state", "detail": "is unknown"}]}""");

        assertThat(run("put tenant t")).isEqualTo(1);

        assertThat(err.toString().lines())
                .containsExactly("kv: The request is not valid: displayName is too long", "    state is unknown");
    }

    @Test
    void saysWhereATokenComesFromWhenItIsRefused() {
        peer.answers("GET /v1/tenants/t", 401, "");

        assertThat(run("get tenant t")).isEqualTo(1);

        assertThat(err.toString().lines()).singleElement().asString().contains("401", "KVSTORE_ADMIN_TOKEN");
    }

    @Test
    void saysThatItIsNoControlPlane() {
        peer.answers("GET /v1/tenants/t", 200, "<html>");

        assertThat(run("get tenant t")).isEqualTo(1);

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("no JSON", peer.url().toString());
    }

    @Test
    void saysThatNothingListens() {
        peer.close();

        assertThat(run("get tenants")).isEqualTo(1);

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kv: nothing answers at " + peer.url())
                .contains("kv up", "--url");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "get | Missing required parameter: 'KIND'",
                "get things | there is no kind \"things\"; the kinds are region, round-trip, cluster, join-token, process, tenant, key,"
                        + " account, limits, grant, placement, warming, purge, audit, refusal",
                "get keys | --tenant: is missing; it says whose",
                "get tenants --cluster c | --cluster: means nothing for tenants here",
                "get tenant t --state s | --state: means nothing for tenants here",
                "get tenants --limit 0 | --limit: must be 1 or more, not 0",
                "get limits | there is no list of limits; see the accounts",
                "get audit 7 | one of audit cannot be shown by name",
                "put tenant | Missing required parameter: 'NAME'",
                "put key k --tenant t | there is no put for keys; it is there for region, round-trip, cluster, process,"
                        + " tenant, account, limits, grant, placement",
                "put tenant t name | \"name\": must be field=value",
                "put tenant t name=x | name: is no field of tenants; the fields are displayName, state",
                "put round-trip o --region r micros=far | micros: must be a whole number, not \"far\"",
                "put placement r --account a pinned=yes | pinned: must be true or false, not \"yes\"",
                "put grant g --account a grantee=m expiresAt= | expiresAt: has no value behind =; leave expiresAt= out to have"
                        + " it as at first",
                "put tenant t --file FOLDER/twice | --file: FOLDER/twice is not JSON: ANY",
                "put tenant t --file FOLDER/trailing | --file: FOLDER/trailing is not JSON: ANY",
                "put tenant t --file FOLDER/none | --file: FOLDER/none: no such file or folder",
                "put tenant t --file FOLDER/token | --file: FOLDER/token is not JSON: ANY",
                "put tenant t --if-absent --if-match 3 | --if-absent: contradicts --if-match",
                "delete round-trip o --region r | there is no delete for round-trips; it is there for region, cluster,"
                        + " join-token, process, tenant, key, account, grant, placement",
                "create tenant --tenant t | only keys and join tokens are created; kv admin put makes and changes all else",
                "create key | --tenant: is missing; it says whose",
                "create join-token --tenant t | --cluster: is missing; it says whose",
                "create key --tenant t --cluster c | --cluster: means nothing for keys here",
                "probe tenant t | only accounts are probed",
                "cluster stop c | must be drain or activate, not stop",
                "get tenants --url ftp://h | --url: must be http:// or https:// with a host and a port, not ftp://h",
                "get tenants --url http://h.example | --url: http://h.example would show the token to the network; use"
                        + " https://, or --plaintext",
                "get tenants --json FOLDER | --json: FOLDER is a folder; name a file",
            })
    void refusesAWrongCommandInOneSentence(String command, String sentence) {
        String words = command.replace("FOLDER", folder.toString());
        int exitCode =
                words.contains("--url") ? admin.execute((words + " --token-file " + token).split(" ", -1)) : run(words);

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(2);
        assertThat(err.toString())
                .startsWith("admin " + command.split(" ", 2)[0] + ": "
                        + sentence.replace("FOLDER", folder.toString()).replace("ANY", ""))
                .endsWith("--help explains every flag\n");
        assertThat(peer.requests()).isEmpty();
    }

    @Test
    void explainsItselfAlone() {
        assertThat(admin.execute()).isZero();

        assertThat(out.toString())
                .contains(
                        "get", "put", "delete", "create", "rotate", "probe", "cluster", "routes", "heat", "round-trip");
    }
}
