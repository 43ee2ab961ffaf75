/** The Terraform provider of this checkout, built and put into a folder where Terraform finds it. */
@NullMarked
package dev.kvstore.launcher.terraform;

import org.jspecify.annotations.NullMarked;
