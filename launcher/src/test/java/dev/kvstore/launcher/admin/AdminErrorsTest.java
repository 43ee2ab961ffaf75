package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The message of {@code kv admin} when it fails or a command is wrong: one sentence. */
class AdminErrorsTest extends AdminLine {
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
                .endsWith("--help-all explains every flag\n");
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
