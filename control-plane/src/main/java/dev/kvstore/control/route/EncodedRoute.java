package dev.kvstore.control.route;

import com.google.protobuf.Duration;
import dev.kvstore.clusters.route.Reason;
import dev.kvstore.clusters.route.Route;
import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Target;
import java.util.List;

/** A route and its message, shared by all clients with the same question. Immutable. */
record EncodedRoute(Route route, dev.kvstore.protocol.control.v1.Route message) {
    /** After this time a client that does not watch asks again, since a lease may have ended. */
    private static final Duration TTL = Duration.newBuilder().setSeconds(10).build();

    static EncodedRoute of(Route route) {
        var message = dev.kvstore.protocol.control.v1.Route.newBuilder()
                .setVersion(route.version())
                .setRegion(route.region())
                .setTtl(TTL);
        route.levels().forEach(level -> message.addLevels(level(level)));
        return new EncodedRoute(route, message.build());
    }

    /** The message with reasons. */
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
