/** Looks at processes over the network: their ports, their certificates, their health, and a key that they may know. */
@NullMarked
package dev.kvstore.doctor.service;

import org.jspecify.annotations.NullMarked;
