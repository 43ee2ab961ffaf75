package dev.kvstore.dataplane.storage;

/**
 * A setting of a storage that costs its owner, or keeps this service from its work, as far as it can be seen.
 *
 * @param reason why it cannot be seen, for an admin; empty if it can
 */
public record StorageTrait(TraitName name, TraitSight sight, String reason) {
    /** The settings that are inspected. */
    public enum TraitName {
        /** Folders are blobs, too. */
        HIERARCHICAL_NAMESPACE,
        /** A blob that is replaced or deleted stays as a version. */
        VERSIONING,
        /** A blob that is deleted stays for some days. */
        SOFT_DELETE,
        /** Blobs may not be replaced or deleted before a time. */
        IMMUTABILITY_POLICY,
        /** Blobs may not be replaced or deleted until the hold ends. */
        LEGAL_HOLD
    }

    /** Whether storage has the setting. */
    public enum TraitSight {
        ABSENT,
        PRESENT,
        /** Storage does not tell this credential. */
        UNKNOWN
    }

    /** The setting as storage tells it. */
    public static StorageTrait seen(TraitName name, boolean present) {
        return new StorageTrait(name, present ? TraitSight.PRESENT : TraitSight.ABSENT, "");
    }

    /** The setting where storage does not tell it. */
    public static StorageTrait unseen(TraitName name, String reason) {
        return new StorageTrait(name, TraitSight.UNKNOWN, reason);
    }
}
