package dev.kvstore.dataplane.storage;

final class MemoryStoreTest extends BlockStoreContract {
    private final MemoryStore blobs = new MemoryStore();

    @Override
    protected BlockStore newStore() {
        return blobs;
    }

    @Override
    protected void putBehindTheStore(String name, int length) {
        blobs.putZeros(name, length);
    }
}
