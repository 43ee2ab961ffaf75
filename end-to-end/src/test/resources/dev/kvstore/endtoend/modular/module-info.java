/** A gateway that is a module, and uses Micrometer where that is there. */
module com.example.gateway {
    requires dev.kvstore.client;
    requires static micrometer.core;
}
