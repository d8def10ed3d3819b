/** What a user can add to the restart loop, and ready-made members. */
@NullMarked
package dev.resiliency.inprocess.hook;

import org.jspecify.annotations.NullMarked;
