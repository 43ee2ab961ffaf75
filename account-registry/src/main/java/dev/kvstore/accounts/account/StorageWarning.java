package dev.kvstore.accounts.account;

import java.util.Locale;

/**
 * A setting of an account's storage that costs its owner money, or hinders the service.
 *
 * @param name hierarchical_namespace, versioning, soft_delete, immutability_policy or legal_hold
 * @param known whether storage has the setting; if false, the credential may not read the setting, which may be on or
 *     off
 * @param text the effect of the setting and the way out, or the reason why it is not known
 */
public record StorageWarning(String name, boolean known, String text) {
    /** A warning of a setting that storage has. */
    public static StorageWarning present(String name) {
        return new StorageWarning(name, true, meaning(name));
    }

    /** A warning of a setting that storage may have. */
    public static StorageWarning unknown(String name, String reason) {
        return new StorageWarning(name, false, "cannot be seen: " + reason + ". If it is on: " + meaning(name));
    }

    private static String meaning(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "hierarchical_namespace" ->
                "folders are listed as blobs, and stay when they are empty; better use an account without it";
            case "versioning" ->
                "each log that is written again, up to 17,280 a day for each partition in use, and each deleted block"
                        + " stays and is paid for; turn versioning off, or delete old versions by a rule";
            case "soft_delete" ->
                "each log that is written again, up to 17,280 a day for each partition in use, and each deleted block"
                        + " stays for days and is paid for; turn soft delete for blobs off, or keep it short";
            case "immutability_policy" ->
                "blobs can be neither replaced nor deleted, so writes and purges fail; remove the policy, or use another"
                        + " container";
            case "legal_hold" ->
                "blobs can be neither replaced nor deleted, so writes and purges fail; end the hold, or use another"
                        + " container";
            default -> "a newer data plane names this setting; the documents of its version explain it";
        };
    }
}
