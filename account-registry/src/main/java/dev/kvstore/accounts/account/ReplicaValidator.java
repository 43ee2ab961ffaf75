package dev.kvstore.accounts.account;

import dev.kvstore.accounts.key.Secrets;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the replicas that an admin sets for an account, and stores them in the account. Thread-safe. */
@ApplicationScoped
class ReplicaValidator {
    private final AccountRepository accounts;
    private final EndpointAllowList endpoints;
    private final AccountReferences references;
    private final Secrets secrets;
    private final Clock clock;

    ReplicaValidator(
            AccountRepository accounts,
            EndpointAllowList endpoints,
            AccountReferences references,
            Secrets secrets,
            Clock clock) {
        this.accounts = accounts;
        this.endpoints = endpoints;
        this.references = references;
        this.secrets = secrets;
        this.clock = clock;
    }

    /** The regions in which an account may be served, sorted by name. */
    List<String> allowed(String home, @Nullable List<String> regions) {
        List<String> known = known("allowedRegions", regions);
        if (!known.isEmpty() && !known.contains(home)) {
            throw ProblemException.invalid("allowedRegions", "must have the home region " + home + " among them");
        }
        return known;
    }

    /** The regions in which an account is not served for now, sorted by name. */
    List<String> avoided(String home, @Nullable List<String> regions) {
        List<String> known = known("avoidedRegions", regions);
        if (known.contains(home)) {
            throw ProblemException.invalid("avoidedRegions", "must not have the home region " + home + " among them");
        }
        return known;
    }

    private List<String> known(String field, @Nullable List<String> regions) {
        if (regions == null) {
            return List.of();
        }
        for (int i = 0; i < regions.size(); i++) {
            if (!references.hasRegion(regions.get(i))) {
                throw ProblemException.invalid(field + "[" + i + "]", "must be a region that is registered");
            }
        }
        return regions.stream().distinct().sorted().toList();
    }

    /** The region from which missing blocks are fetched. */
    static @Nullable ReadThrough readThrough(AccountSpec spec) {
        ReadThrough through = spec.readThrough();
        if (through == null) {
            return null;
        }
        if (spec.replicas().stream().noneMatch(replica -> replica.region().equals(through.from()))) {
            throw ProblemException.invalid("readThrough.from", "must be the region of one of the replicas");
        }
        if (spec.replicas().size() < 2) {
            throw ProblemException.invalid("readThrough", "needs a replica in another region, which reads through");
        }
        return through.orUsual();
    }

    /** @param anew whether earlier proofs no longer count */
    void put(Caller caller, Account account, List<AccountSpec.ReplicaSpec> specs, boolean anew) {
        Set<String> regions = new HashSet<>();
        for (int i = 0; i < specs.size(); i++) {
            AccountSpec.ReplicaSpec spec = specs.get(i);
            String field = "replicas[" + i + "]";
            if (!regions.add(spec.region())) {
                throw ProblemException.invalid(field + ".region", "must be another than that of the replicas before");
            }
            if (!references.hasRegion(spec.region())) {
                throw ProblemException.invalid(field + ".region", "must be a region that is registered");
            }
            put(caller, account, field, spec, anew);
        }
        // Only replicas that really go are removed: any other change of the map would count as a change of the account.
        if (!regions.containsAll(account.replicas().keySet())) {
            account.replicas().keySet().retainAll(regions);
            account.touch(clock.instant());
        }
    }

    private void put(Caller caller, Account account, String field, AccountSpec.ReplicaSpec spec, boolean anew) {
        Replica known = account.replicas().get(spec.region());
        Replica.ReplicaConfig config = place(field, account.resourceName(), spec);
        boolean changed = known == null || !config.equals(known.place());
        if (config.storage().createContainer() && !config.vouched()) {
            throw ProblemException.invalid(
                    field + ".createContainer", "needs vouched: a container that does not exist yet proves no owner");
        }
        if ((changed || anew) && caller.role() != Role.PLATFORM_ADMIN) {
            requireAllowed(field, config);
        }
        if (accounts.isAnothers(config.storage(), account.resourceName(), spec.region())) {
            throw ProblemException.of(ProblemKind.CONFLICT, field + ": that container is registered already");
        }
        Replica replica = known == null ? new Replica(account.resourceName(), spec.region()) : known;
        if (changed || anew) {
            account.touch(clock.instant());
        }
        replica.place(config, secrets::secret, clock.instant());
        if (anew) {
            replica.prove(secrets::secret, clock.instant());
        }
        if (known == null) {
            account.replicas().put(spec.region(), replica);
        }
    }

    /**
     * Checks fields that only a platform admin may set, since such fields reach storage and secrets of the platform.
     */
    private static void requireAllowed(String field, Replica.ReplicaConfig config) {
        switch (AccountStorage.of(config.storage())) {
            case AccountStorage.Filesystem _ ->
                throw ProblemException.invalid(field + ".endpoint", "is a folder, which only platform admins register");
            case AccountStorage.Azure(StorageRow row) -> {
                if (row.credential().startsWith("env:") || row.credential().startsWith("file:")) {
                    throw ProblemException.invalid(
                            field + ".credential",
                            "must be managed-identity or keyvault:..., or set by a platform admin");
                }
            }
        }
        if (config.storage().createContainer()) {
            throw ProblemException.invalid(field + ".createContainer", "is for platform admins: make the container");
        }
        if (config.vouched()) {
            throw ProblemException.invalid(field + ".vouched", "is for platform admins: prove ownership by the nonce");
        }
    }

    private Replica.ReplicaConfig place(String field, String resourceName, AccountSpec.ReplicaSpec spec) {
        StorageRow row = new StorageRow(
                endpoints.allowed(
                        field + ".endpoint", spec.endpoint() == null ? endpoints.of(resourceName) : spec.endpoint()),
                Objects.requireNonNullElse(spec.container(), ""),
                Objects.requireNonNullElse(spec.credential(), ""),
                Boolean.TRUE.equals(spec.createContainer()));
        switch (AccountStorage.of(row)) {
            case AccountStorage.Filesystem _ -> {
                if (spec.container() != null || spec.credential() != null) {
                    throw ProblemException.invalid(field + ".container", "and credential are not for a folder");
                }
            }
            case AccountStorage.Azure _ -> {
                if (spec.container() == null || spec.credential() == null) {
                    throw ProblemException.invalid(
                            field + (spec.container() == null ? ".container" : ".credential"), "is missing");
                }
            }
        }
        return new Replica.ReplicaConfig(row, Boolean.TRUE.equals(spec.vouched()));
    }
}
