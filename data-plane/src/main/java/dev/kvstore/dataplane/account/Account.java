package dev.kvstore.dataplane.account;

/**
 * A storage account of a tenant, under the name that requests use.
 *
 * @param resourceName what requests say
 * @param tenant who owns it
 * @param storage where its blobs are
 */
public record Account(String resourceName, String tenant, StorageLocation storage) {}
