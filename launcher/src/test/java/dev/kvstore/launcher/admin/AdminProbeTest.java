package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code kv admin probe}: a trial that an admin asks for, and its outcome. */
class AdminProbeTest extends AdminLine {
    private static String account(String state, String report) {
        return "{\"resourceName\": \"a\", \"ready\": true, \"replicas\": [{\"region\": \"eu-1\", \"state\": \"" + state
                + "\"" + (report.isEmpty() ? "" : ", \"report\": " + report) + "}]}";
    }

    private static String report(String at, boolean ok, String reason) {
        return "{\"at\": \"" + at + "\", \"by\": \"n\", \"ok\": " + ok + ", \"steps\": ["
                + "{\"name\": \"write\", \"ok\": " + ok + ", \"reason\": \"" + reason + "\", \"millis\": 3}]}";
    }

    @Test
    void waitsForTheOutcomeAndShowsIt() {
        peer.answers("POST /v1/accounts/a/probe", 202, "")
                .answersOnce("GET /v1/accounts/a", 200, account("ready", report("1", true, "")))
                .answersOnce("GET /v1/accounts/a", 200, account("ready", report("1", true, "")))
                .answers("GET /v1/accounts/a", 200, account("ready", report("2", false, "No space left on device")));

        assertThat(run("probe account a")).isEqualTo(1);

        assertThat(out.toString())
                .contains("eu-1    write  false  3       No space left on device")
                .contains("eu-1: the trial failed; the storage was ready before and stays in use");
    }

    @Test
    void aTrialThatSucceedsIsExitCodeZero() {
        peer.answers("POST /v1/accounts/a/probe", 202, "")
                .answersOnce("GET /v1/accounts/a", 200, account("unproven", ""))
                .answers("GET /v1/accounts/a", 200, account("ready", report("2", true, "")));

        assertThat(run("probe account a")).isZero();

        assertThat(out.toString()).contains("eu-1: the trial succeeded\n");
    }

    @Test
    void detachedItDoesNotWait() {
        peer.answers("POST /v1/accounts/a/probe", 202, "").answers("GET /v1/accounts/a", 200, account("ready", ""));

        assertThat(run("probe account a --detach")).isZero();

        assertThat(out.toString()).contains("kv admin get account a");
    }
}
