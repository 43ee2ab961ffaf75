package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code kv admin put}, {@code create}, {@code delete} and their like: the call that each makes. */
class AdminChangeTest extends AdminLine {
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
}
