package dev.resiliency.inprocess.internal.watch;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the limits on progress, softTimeout and hardTimeout, apply in this process. They do not if it was
 * started for debugging: at a breakpoint it makes no progress, and must survive. Whether a debugger is attached does not
 * matter, since one may attach at any time.
 */
public final class HangProtection {
    /** The system property, true or false, that decides regardless of a debugger. */
    public static final String PROPERTY = "dev.resiliency.hangProtection";

    private HangProtection() {}

    /**
     * Returns whether the limits apply: the value of the property or, if it is not set, whether this JVM has no debug
     * agent (JDWP).
     */
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
