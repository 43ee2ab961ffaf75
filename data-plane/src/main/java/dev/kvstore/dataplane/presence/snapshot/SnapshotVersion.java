package dev.kvstore.dataplane.presence.snapshot;

/** A decoded blob and its ETag. */
public record SnapshotVersion<T>(T content, String etag) {}
