package dev.kvstore.simulation.fleet;

/** The account of all histories. */
public final class SimulatedAccount {
    public static final String RESOURCE = "demo";
    public static final String KEY_ID = "0a1b2c3d";

    /** The name of the folder that is the account's storage; nobody looks into the folder. */
    public static final String FOLDER = "/somewhere";

    private SimulatedAccount() {}
}
