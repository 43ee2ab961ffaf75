package dev.kvstore.doctor.service;

import java.util.List;

/**
 * The key, resource and addresses with which a client uses the service.
 *
 * @param endpoints data planes; empty if it asks control planes
 * @param controlPlanes empty if it knows data planes
 * @param region where it is; empty for the account's home
 * @param key the API key, which is never printed
 */
public record EngineAccess(
        List<ServiceAddress> endpoints,
        List<ServiceAddress> controlPlanes,
        String resource,
        String region,
        String key,
        Trust trust) {
    public EngineAccess {
        endpoints = List.copyOf(endpoints);
        controlPlanes = List.copyOf(controlPlanes);
    }

    /** The access without the key. */
    @Override
    public String toString() {
        return resource + " at " + (endpoints.isEmpty() ? controlPlanes : endpoints);
    }
}
