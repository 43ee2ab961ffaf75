package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code kv admin get} and {@code show}: lists, single ones, and how they are printed. */
class AdminReadTest extends AdminLine {
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
}
