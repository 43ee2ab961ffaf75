/** Plans of histories: their steps and faults, which a seed draws. Other packages run the plans. */
@NullMarked
package dev.kvstore.simulation.plan;

import org.jspecify.annotations.NullMarked;
