package dev.kvstore.dataplane.storage;

final class MemoryStoreTest extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
        return new MemoryStore();
    }

    @Override
    protected void putBehindTheStore(String name, int length) {
        ((MemoryStore) store).putZeros(name, length);
    }
}
