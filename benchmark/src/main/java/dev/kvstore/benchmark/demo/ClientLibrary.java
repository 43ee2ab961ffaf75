package dev.kvstore.benchmark.demo;

/** The client libraries that the demo can use. */
enum ClientLibrary {
    JAVA,
    PYTHON
}
