/** {@code kv terraform check}: format, names, types, values, tests and pages of Terraform modules and examples. */
@NullMarked
package dev.kvstore.terraform.check;

import org.jspecify.annotations.NullMarked;
