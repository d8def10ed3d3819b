package dev.resiliency.launcher.attribution;

import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.monitor.spi.MemoryUse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What else was found about a fault.
 *
 * @param crash what the JVM says of its crash
 * @param thrown the last exception that the process has printed
 * @param heapDump path of the dump that it wrote
 * @param oomKills how many processes the kernel has killed in this control group since the last look, as memory ran out
 * @param kernel lines of the kernel's log that name a process of the rank, memory or a GPU
 * @param sections those open at that moment, outermost first
 * @param step the last one that the rank has reported; null if it reports none
 * @param stack of the thread that did not go on, innermost frame first
 * @param lastLines the end of what it has printed
 * @param memory how full its memory was, as it has stamped
 * @param activity what that thread did; null if it is not known
 */
record Evidence(
        @Nullable Crash crash,
        @Nullable Thrown thrown,
        @Nullable String heapDump,
        long oomKills,
        List<String> kernel,
        List<String> sections,
        @Nullable Long step,
        List<String> stack,
        List<String> lastLines,
        @Nullable MemoryUse memory,
        @Nullable Activity activity) {
    static final Evidence NONE =
            new Evidence(null, null, null, 0, List.of(), List.of(), null, List.of(), List.of(), null, null);

    /** Copies the lists. */
    Evidence {
        kernel = List.copyOf(kernel);
        sections = List.copyOf(sections);
        stack = List.copyOf(stack);
        lastLines = List.copyOf(lastLines);
    }

    /** Returns evidence that has only sections and a stack. */
    static Evidence ofHang(List<String> sections, @Nullable Long step, List<String> stack) {
        return new Evidence(null, null, null, 0, List.of(), sections, step, stack, List.of(), null, null);
    }

    /** Returns evidence of a crash alone. */
    static Evidence of(Crash crash) {
        return new Evidence(crash, null, null, 0, List.of(), List.of(), null, List.of(), List.of(), null, null);
    }

    /** Returns evidence that has only what the process has stamped of its memory. */
    static Evidence of(MemoryUse memory) {
        return new Evidence(null, null, null, 0, List.of(), List.of(), null, List.of(), List.of(), memory, null);
    }

    /** Returns all of this, and what it lacks of the other. */
    Evidence and(Evidence other) {
        return new Evidence(
                crash == null ? other.crash : crash,
                thrown == null ? other.thrown : thrown,
                heapDump == null ? other.heapDump : heapDump,
                oomKills + other.oomKills,
                kernel.isEmpty() ? other.kernel : kernel,
                sections.isEmpty() ? other.sections : sections,
                step == null ? other.step : step,
                stack.isEmpty() ? other.stack : stack,
                lastLines.isEmpty() ? other.lastLines : lastLines,
                memory == null ? other.memory : memory,
                activity == null ? other.activity : activity);
    }
}
