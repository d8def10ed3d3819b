package dev.resiliency.inprocess.internal.watch;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the limits on progress, softTimeout and hardTimeout, apply in this process. They do not if it was started for
 * debugging: at a breakpoint it makes no progress, and must live on.
 */
public final class HangProtection {
    /** The system property that decides, true or false, whether or not a debugger can attach. */
    public static final String PROPERTY = "dev.resiliency.hangProtection";

    private HangProtection() {}

    /** Returns whether the limits apply: as the property says, else unless this JVM has the debug agent (JDWP). */
    public static boolean isOn() {
        return isOn(
                System.getProperty(PROPERTY),
                ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    static boolean isOn(@Nullable String property, List<String> jvmArguments) {
        return property == null
                ? jvmArguments.stream().noneMatch(HangProtection::loadsDebugAgent)
                : Boolean.parseBoolean(property);
    }

    private static boolean loadsDebugAgent(String argument) {
        return argument.startsWith("-agentlib:jdwp")
                || argument.startsWith("-Xrunjdwp")
                || (argument.startsWith("-agentpath:") && argument.contains("jdwp"));
    }
}
