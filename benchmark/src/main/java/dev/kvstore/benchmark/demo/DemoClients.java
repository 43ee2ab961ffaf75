package dev.kvstore.benchmark.demo;

import java.nio.file.Path;

/** Makes clients of the demo's tenant, all with one client library. */
interface DemoClients {
    /** The name of the library, as the table has it. */
    String library();

    /** A client of one data plane. */
    DemoClient direct(String endpoint) throws InterruptedException;

    /**
     * A client that knows only the control plane.
     *
     * @param region the region where the client is
     * @param routes the file where a client that keeps its routes keeps them
     */
    DemoClient routed(String controlPlane, String region, Path routes) throws InterruptedException;
}
