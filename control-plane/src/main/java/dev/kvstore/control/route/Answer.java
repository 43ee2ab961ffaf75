package dev.kvstore.control.route;

import com.google.protobuf.Duration;
import dev.kvstore.clusters.route.Reason;
import dev.kvstore.clusters.route.Route;
import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Target;
import java.util.List;

/** A route, and the message that tells it. One for all who ask the same. Immutable. */
record Answer(Route route, dev.kvstore.protocol.control.v1.Route message) {
    /** Who does not watch asks again when a lease could have ended that it has not heard of. */
    private static final Duration TTL = Duration.newBuilder().setSeconds(10).build();

    static Answer of(Route route) {
        var message = dev.kvstore.protocol.control.v1.Route.newBuilder()
                .setVersion(route.version())
                .setRegion(route.region())
                .setTtl(TTL);
        route.levels().forEach(level -> message.addLevels(level(level)));
        return new Answer(route, message.build());
    }

    /** With reasons. */
    dev.kvstore.protocol.control.v1.Route explained(List<Reason> reasons) {
        var explained = message.toBuilder();
        reasons.forEach(reason -> explained.addReasons(dev.kvstore.protocol.control.v1.Reason.newBuilder()
                .setCluster(reason.cluster())
                .setRegion(reason.region())
                .setRouted(reason.routed())
                .setText(reason.text())));
        return explained.build();
    }

    private static Level level(Route.Level level) {
        Level.Builder message = Level.newBuilder()
                .setRegion(level.region())
                .setShare(level.share())
                .setPanic(level.panic());
        if (level.roundTrip() != null) {
            message.setRoundTrip(Duration.newBuilder()
                    .setSeconds(level.roundTrip().toSeconds())
                    .setNanos(level.roundTrip().toNanosPart()));
        }
        for (Route.Target target : level.targets()) {
            message.addTargets(Target.newBuilder()
                    .setCluster(target.cluster())
                    .setProcess(target.process())
                    .setInstance(target.instance())
                    .setAddress(target.address())
                    .setWeight(target.weight()));
        }
        return message.build();
    }
}
