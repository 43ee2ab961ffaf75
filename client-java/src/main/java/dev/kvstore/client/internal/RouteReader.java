package dev.kvstore.client.internal;

import dev.kvstore.client.internal.routing.Route;

/** Reads routes from the wire. Stateless. */
final class RouteReader {
    /** The largest weight: the control plane sends none beyond it. */
    private static final int MOST_WEIGHT = 1000;

    private RouteReader() {}

    static Route of(dev.kvstore.protocol.control.v1.Route message) {
        return new Route(
                message.getVersion(),
                message.getLevelsList().stream().map(RouteReader::level).toList());
    }

    private static Route.Level level(dev.kvstore.protocol.control.v1.Level level) {
        return new Route.Level(
                level.getRegion(),
                (int) Math.min(Integer.toUnsignedLong(level.getShare()), Integer.MAX_VALUE),
                level.getTargetsList().stream().map(RouteReader::target).toList());
    }

    /**
     * A target of a route. Its id contains the cluster, since data planes of two clusters may have the same name. A
     * weight beyond its range is replaced by the bound.
     */
    private static Route.Target target(dev.kvstore.protocol.control.v1.Target target) {
        return new Route.Target(
                target.getCluster() + "/" + target.getProcess(), target.getInstance(), target.getAddress(), (int)
                        Math.max(1, Math.min(Integer.toUnsignedLong(target.getWeight()), MOST_WEIGHT)));
    }
}
