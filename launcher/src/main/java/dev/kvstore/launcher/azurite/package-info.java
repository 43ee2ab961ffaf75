/** Azurite, the Azure Storage emulator, as a child process. */
@NullMarked
package dev.kvstore.launcher.azurite;

import org.jspecify.annotations.NullMarked;
