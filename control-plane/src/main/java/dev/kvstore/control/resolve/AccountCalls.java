package dev.kvstore.control.resolve;

import dev.kvstore.accounts.account.ProbeReport;
import dev.kvstore.accounts.account.Probes;
import dev.kvstore.accounts.account.StorageWarning;
import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.refusal.Refusals;
import dev.kvstore.admin.refusal.RefusedAction;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetView;
import dev.kvstore.clusters.member.DatabaseClock;
import dev.kvstore.control.security.CallingDataPlane;
import dev.kvstore.control.security.DataPlanes;
import dev.kvstore.control.security.RefusedReports;
import dev.kvstore.control.transport.Exhausted;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ReportProbeResponse;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.SeenTrait;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.RegisterInterceptor;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves {@code kvstore.control.v1.AccountService}, each call on a virtual thread. */
@GrpcService
@RegisterInterceptor(DataPlanes.class)
public class AccountCalls implements AccountServiceGrpc.AsyncService, BindableService {
    private static final int SHA256_BYTES = 32;
    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9-]{1,64}");
    private static final int MAX_NAME = 200;

    /**
     * The Watch calls that a cluster may have beyond one for each lease: for data planes that have just started, have
     * lost their connection, or hold no lease.
     */
    private static final int SPARE_WATCHES = 64;

    /** The most traits in a report: more than there are kinds of traits. */
    private static final int MAX_TRAITS = 20;

    private final Resolutions resolver;
    private final DatabaseClock clock;
    private final ChangeFeed feed;
    private final Probes probes;
    private final Refusals refusals;
    private final RefusedReports refused;
    private final FleetView fleets;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    AccountCalls(
            Resolutions resolver,
            ChangeFeed feed,
            Probes probes,
            Refusals refusals,
            RefusedReports refused,
            FleetView fleets,
            DatabaseClock clock) {
        this.fleets = fleets;
        this.clock = clock;
        this.refused = refused;
        this.resolver = resolver;
        this.feed = feed;
        this.probes = probes;
        this.refusals = refusals;
    }

    @Override
    public ServerServiceDefinition bindService() {
        return OneMessage.of(AccountServiceGrpc.bindService(this));
    }

    /** The work of a call. */
    @FunctionalInterface
    private interface AccountWork {
        void run();
    }

    private void serve(StreamObserver<?> call, AccountWork work) {
        executor.execute(() -> {
            try {
                work.run();
            } catch (StatusRuntimeException e) {
                call.onError(e);
            } catch (RuntimeException | Error e) {
                call.onError(CallFailure.of(e));
            }
        });
    }

    @Override
    public void resolve(ResolveRequest request, StreamObserver<ResolveResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        serve(call, () -> {
            require(KEY_ID.matcher(request.getKeyId()).matches(), "key_id", "must be 1 to 64 letters, digits and '-'");
            require(request.getKeySha256().size() == SHA256_BYTES, "key_sha256", "must be 32 bytes");
            DatabaseAccountResolver.AccountResolution resolution = resolver.resolve(
                    caller.group(),
                    request.getKeyId(),
                    request.getKeySha256().toByteArray(),
                    storable(request.getResourceName()),
                    caller.requireRegion(storable(request.getRegion())));
            audit(request, resolution.resolved());
            call.onNext(ResolutionEncoder.response(resolution.resolved(), resolution.change(), clock.instant()));
            call.onCompleted();
        });
    }

    /** Records a refusal. A question about a key alone, without a resource, refuses nothing. */
    private void audit(ResolveRequest request, Resolved resolved) {
        String what = "use " + cut(request.getResourceName());
        switch (resolved) {
            case Resolved.UnknownKey(boolean expired) ->
                refusals.offerOfStranger(new RefusedAction(
                        "key " + request.getKeyId(),
                        null,
                        null,
                        what,
                        expired ? "the key has expired" : "no such key, or not any more"));
            case Resolved.NotGranted(String tenant, var _, boolean notReady)
            when !request.getResourceName().isEmpty() ->
                refusals.offer(new RefusedAction(
                        "key " + request.getKeyId(), null, tenant, what, notReady ? "not ready" : "not granted"));
            case Resolved.NotGranted _, Resolved.Granted _ -> {}
        }
    }

    /**
     * A name that PostgreSQL can store: text with a zero character cannot be stored, so no resource has such a name.
     */
    private static String storable(String name) {
        return name.length() > MAX_NAME || name.indexOf('\0') >= 0 ? "" : name;
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> call) {
        String region = request.getRegion();
        if (!storable(region).equals(region)) {
            call.onError(invalid("region", "must be at most " + MAX_NAME + " characters, none of them zero"));
            return;
        }
        CallingDataPlane caller = CallingDataPlane.current();
        try {
            region = caller.requireRegion(region);
        } catch (StatusRuntimeException e) {
            call.onError(e);
            return;
        }
        ServerCallStreamObserver<WatchResponse> stream = (ServerCallStreamObserver<WatchResponse>) call;
        WatchStream watcher = new WatchStream(stream, region, caller, clock);
        stream.setOnReadyThreshold(WatchStream.UNREAD);
        stream.setOnCancelHandler(() -> feed.remove(watcher));
        serve(call, () -> {
            int most = mostWatches(watcher.cluster());
            if (!feed.add(watcher, request.getSince(), most)) {
                throw Exhausted.because("the cluster " + watcher.cluster() + " has " + most
                        + " Watch calls at this control plane already: one for each of its leases, and "
                        + SPARE_WATCHES + " more");
            }
        });
    }

    /** The Watch calls that a cluster may have at this control plane. */
    private int mostWatches(String cluster) {
        if (cluster.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        long leases = fleets.now().stream()
                .flatMap(fleet -> fleet.clusters().stream()
                        .filter(each -> each.name().equals(cluster))
                        .flatMap(each -> each.members().stream())
                        .filter(member -> member.hasLease(fleet.at())))
                .count();
        return Math.toIntExact(leases) + SPARE_WATCHES;
    }

    @Override
    public void reportProbe(ReportProbeRequest request, StreamObserver<ReportProbeResponse> call) {
        CallingDataPlane caller = CallingDataPlane.current();
        serve(call, () -> {
            ProbeId id;
            try {
                id = ProbeId.of(request.getId());
            } catch (IllegalArgumentException e) {
                throw invalid("id", String.valueOf(e.getMessage()));
            }
            require(request.getStepsCount() >= 1 && request.getStepsCount() <= 10, "steps", "must be 1 to 10");
            List<ProbeReport.Step> steps =
                    request.getStepsList().stream().map(AccountCalls::step).toList();
            require(request.getTraitsCount() <= MAX_TRAITS, "traits", "must be at most " + MAX_TRAITS);
            Probes.ProbeReporter reporter = reporter(caller, id.trial().region(), cut(request.getNode()));
            if (!probes.report(id.trial(), reporter, steps, warnings(request.getTraitsList()))) {
                refused.probe(id.trial(), cut(request.getNode()));
                throw Status.PERMISSION_DENIED
                        .withDescription("id: this trial was never given to this data plane, or has passed to another")
                        .asRuntimeException();
            }
            call.onNext(ReportProbeResponse.getDefaultInstance());
            call.onCompleted();
        });
    }

    /** A data plane that reports on a trial of a region's storage. */
    private Probes.ProbeReporter reporter(CallingDataPlane caller, String region, String node) {
        String cluster = caller.scope().cluster();
        boolean alone = cluster == null
                || fleets.now().map(fleet -> isAlone(fleet, region, cluster)).orElse(false);
        return new Probes.ProbeReporter(cluster == null ? "" : cluster, alone, caller.actor(), node);
    }

    /** Whether no other cluster of the region has a data plane with a lease. */
    private static boolean isAlone(Fleet fleet, String region, String cluster) {
        return fleet.clusters().stream()
                .filter(other -> other.region().equals(region) && !other.name().equals(cluster))
                .flatMap(other -> other.members().stream())
                .noneMatch(member -> member.hasLease(fleet.at()));
    }

    private static ProbeReport.Step step(ProbeStep step) {
        return new ProbeReport.Step(
                step.getName().name().toLowerCase(Locale.ROOT), step.getOk(), cut(step.getReason()), step.getMillis());
    }

    /** The warnings about a storage; null if the data plane has not looked. */
    private static @Nullable List<StorageWarning> warnings(List<SeenTrait> traits) {
        return traits.isEmpty()
                ? null
                : traits.stream()
                        .filter(trait -> trait.getSight() != SeenTrait.Sight.ABSENT)
                        .map(trait -> trait.getSight() == SeenTrait.Sight.PRESENT
                                ? StorageWarning.present(cut(trait.getName()))
                                : StorageWarning.unknown(cut(trait.getName()), cut(trait.getReason())))
                        .toList();
    }

    private static String cut(String text) {
        return ReportedText.of(text, MAX_NAME * 5);
    }

    private static void require(boolean holds, String field, String flaw) {
        if (!holds) {
            throw invalid(field, flaw);
        }
    }

    private static StatusRuntimeException invalid(String field, String flaw) {
        return Invalid.field(field, flaw);
    }
}
