/**
 * A stand-in for the provider azurerm: it knows the names, types and values of the real one's arguments, and nothing of
 * Azure (ADR 50).
 */
@NullMarked
package dev.kvstore.terraform.azurerm;

import org.jspecify.annotations.NullMarked;
