package dev.kvstore.terraform.azurerm;

/** An azurerm that runs, and that any number of Terraforms of this machine use at a time. Thread-safe. */
public interface RunningAzurerm extends AutoCloseable {
    /** The variable by which Terraform is told of providers that run already. */
    String VARIABLE = "TF_REATTACH_PROVIDERS";

    /** The value of {@link #VARIABLE} with which Terraform uses this azurerm. */
    String reattach();

    /** Ends it. */
    @Override
    void close();
}
