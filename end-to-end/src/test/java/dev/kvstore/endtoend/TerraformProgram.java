package dev.kvstore.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The programs that run the Terraform provider. */
enum TerraformProgram {
    TERRAFORM("terraform", "https://developer.hashicorp.com/terraform"),
    OPENTOFU("tofu", "https://opentofu.org");

    private final String command;
    private final String home;

    TerraformProgram(String command, String home) {
        this.command = command;
        this.home = home;
    }

    String command() {
        return command;
    }

    /** A test that needs it is skipped where it is not on the PATH. */
    void require() {
        assumeTrue(GoTool.isOnPath(command), "missing: " + command + ", of " + home);
    }
}
