package dev.kvstore.accounts.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.accounts.key.Secrets;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives storages of accounts to data planes for trials, until a trial succeeds, and again when an admin asks for it. One
 * data plane has a trial at a time; if it does not report in time, the next data plane that asks gets the trial.
 * Thread-safe.
 */
@ApplicationScoped
public class Probes {
    /**
     * The time for which a data plane has a trial: longer than its own limits for the calls of a trial to a storage
     * that answers.
     */
    private static final Duration CLAIM = Duration.ofSeconds(60);

    /** Pause after the first failed trial: short, so that an admin who repairs something sees it soon. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    /** The longest pause between trials. An admin can start a trial at once. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** The author of changes from reports of data planes. */
    private static final Caller PLATFORM = new Caller("control-plane", Role.PLATFORM_ADMIN, null);

    /**
     * The time for which a trial that would go to the same cluster again waits for a control plane that has another
     * cluster.
     */
    private static final Duration OTHERS_FIRST = Duration.ofSeconds(5);

    private static final String BLOB_PREFIX = "kv/v1/owner/";

    private static final Logger LOG = System.getLogger(Probes.class.getName());

    private final AccountRepository accounts;
    private final Accounts admin;
    private final ChangeLog log;
    private final ObjectMapper json;
    private final Secrets secrets;
    private final Clock clock;
    private final SecureRandom random;

    Probes(
            AccountRepository accounts,
            Accounts admin,
            ChangeLog log,
            ObjectMapper json,
            Secrets secrets,
            Clock clock,
            SecureRandom random) {
        this.random = random;
        this.secrets = secrets;
        this.accounts = accounts;
        this.admin = admin;
        this.log = log;
        this.json = json;
        this.clock = clock;
    }

    /**
     * The name of the blob that must hold the nonce: the nonce itself has characters that a blob's name must not have.
     */
    public static String blob(String nonce) {
        return BLOB_PREFIX + HexFormat.of().formatHex(Secrets.sha256(nonce));
    }

    /**
     * A trial and the cluster that makes it.
     *
     * @param cluster the name of the cluster, as given to {@link #claim}
     */
    public record GivenTrial(Replica replica, String cluster) {}

    /**
     * Gives trials of a region's storages to clusters of that region. Storages in regions without data planes are
     * included, if they need no proof.
     *
     * @param clusters clusters that have a data plane for trials, each once
     * @param watched regions that have such clusters
     * @param limit the most trials
     */
    @Transactional
    public List<GivenTrial> claim(String region, List<String> clusters, List<String> watched, int limit) {
        Instant now = clock.instant();
        List<GivenTrial> claimed = new ArrayList<>();
        for (Replica replica : accounts.toProbe(region, clusters, watched, now, now.minus(OTHERS_FIRST), limit)) {
            TrialCluster.draw(
                            replica.history(accounts.placed(replica.resourceName(), replica.region())),
                            clusters,
                            random)
                    .ifPresent(cluster -> {
                        replica.give(secrets.secret(), cluster, now.plus(CLAIM));
                        claimed.add(new GivenTrial(replica, cluster));
                    });
        }
        return claimed;
    }

    /** Takes back a trial that no data plane has got: the next data plane that asks gets it at once. */
    @Transactional
    public void giveBack(GivenTrial trial) {
        Replica given = trial.replica();
        Replica replica = accounts.replica(given.resourceName(), given.region());
        if (replica != null && Objects.equals(replica.claim(), given.claim())) {
            replica.takeBack(secrets.secret(), clock.instant());
        }
    }

    /**
     * A trial that was given to a data plane.
     *
     * @param attempt the attempt of the replica when the trial was given out
     * @param claim the secret that only this data plane knows
     */
    public record ProbeTrial(String resourceName, String region, String attempt, String claim) {}

    /**
     * The data plane that reports.
     *
     * @param cluster its cluster, by its credential; empty for one that may speak for all clusters
     * @param alone whether no other cluster of the region could confirm what it reports
     * @param actor its credential, for the log of changes
     * @param by the name that the data plane gives itself
     */
    public record ProbeReporter(String cluster, boolean alone, String actor, String by) {}

    /**
     * Records the report of a trial. The report is ignored if the storage or its credential has changed since the trial
     * began. Two clusters have to find the proof of ownership, unless the region has only one: no cluster alone can
     * make a tenant the owner of another tenant's container. A failure that one cluster reports does not undo what
     * another has found.
     *
     * @param trial the trial, as it was given out
     * @param reporter the data plane
     * @param warnings of the storage's settings; null if they were not read
     * @return false if this data plane never had the trial, or another one has it now; nothing is recorded then
     */
    @Transactional
    public boolean report(
            ProbeTrial trial,
            ProbeReporter reporter,
            List<ProbeReport.Step> steps,
            @Nullable List<StorageWarning> warnings) {
        String resourceName = trial.resourceName();
        String region = trial.region();
        log.begin(PLATFORM, Realm.TENANTS);
        Replica replica = accounts.replica(resourceName, region);
        Account account = accounts.withReplicas(resourceName);
        if (replica == null || account == null || !replica.attempt().equals(trial.attempt())) {
            return true;
        }
        if (!trial.claim().equals(replica.claim())) {
            return false;
        }
        AccountView before = AccountView.of(account);
        ReplicaState was = replica.state();
        boolean taken = accounts.isAnothers(replica.storage(), resourceName, region);
        String by = reporter.by();
        ProbeReport report = ProbeReport.of(clock.instant(), by, steps, warnings, replica.isToProve(), taken);
        Instant again = again(replica.probedAt(), report.at());
        boolean foundBefore = replica.isConfirmedBy(reporter.cluster());
        boolean confirmed =
                !report.ok() || !replica.isToProve() || reporter.alone() || replica.confirm(reporter.cluster());
        if (confirmed) {
            replica.report(report.ok(), text(report), report.at(), again);
        } else {
            replica.awaitConfirmation(text(report.unconfirmed()), report.at(), foundBefore ? again : report.at());
        }
        if (!report.steps().equals(steps)) {
            LOG.log(Level.INFO, "the storage of {0} in {1} was tried by {2}: {3}", resourceName, region, by, steps);
        }
        // The account has the lasting failure; the log has only changes of state.
        if (was != replica.state()) {
            account.touch(clock.instant());
            accounts.flush();
            log.record(
                    new Caller(reporter.actor(), Role.OPERATOR, null),
                    ChangeLog.Action.PROBE,
                    new Subject("account", resourceName, account.tenant()),
                    before,
                    AccountView.of(account),
                    Affected.resource(resourceName));
        }
        return true;
    }

    /** The time of the next trial: the pause doubles from trial to trial, within bounds. */
    static Instant again(@Nullable Instant before, Instant last) {
        Duration pause = before == null ? AGAIN : Duration.between(before, last).multipliedBy(2);
        Duration least = pause.compareTo(AGAIN) < 0 ? AGAIN : pause;
        return last.plus(least.compareTo(LONGEST) > 0 ? LONGEST : least);
    }

    private String text(ProbeReport report) {
        try {
            return json.writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report cannot be written as JSON", e);
        }
    }

    /**
     * Requests a trial of an account's storage now, whether it is ready or not. A failure does not take the storage out
     * of service.
     */
    @Transactional
    void again(Caller caller, String resourceName) {
        Realm.TENANTS.require(caller);
        Account account = admin.requireChanges(caller, resourceName);
        accounts.probeNow(account.resourceName(), clock.instant());
    }
}
