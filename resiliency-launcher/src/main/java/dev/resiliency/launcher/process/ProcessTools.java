package dev.resiliency.launcher.process;

import dev.resiliency.store.spi.guard.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The programs of the host through which a process is started: {@code setsid} gives it a process group of its own, and
 * {@code setpriv} lets the kernel end it with its supervisor. Each replaces itself by the next, so the process id stays.
 *
 * <p>The kernel ends such a process when the <em>thread</em> that has started it ends. A supervisor that dies between the
 * start and {@code setpriv} would be missed, so a shell then compares its parent with the supervisor.
 */
public final class ProcessTools {
    static final String SHELL = "/bin/sh";

    private static final String DIE_WITH_PARENT = "--pdeathsig";
    private static final String KILL = "KILL";
    private static final long LIMIT_SECONDS = 10;

    private final @Nullable String setsid;
    private final @Nullable String setpriv;

    private ProcessTools(@Nullable String setsid, @Nullable String setpriv) {
        this.setsid = setsid;
        this.setpriv = setpriv;
    }

    /**
     * Finds the programs and tries them out.
     *
     * @param path the value of {@code PATH}
     */
    public static ProcessTools find(String path) throws InterruptedException {
        String setsid = executable(path, "setsid");
        String setpriv = executable(path, "setpriv");
        return new ProcessTools(
                setsid != null && works(setsid, SHELL, "-c", ":") ? setsid : null,
                setpriv != null && works(setpriv, DIE_WITH_PARENT, KILL, "--", SHELL, "-c", ":") ? setpriv : null);
    }

    private static @Nullable String executable(String path, String name) {
        return Programs.find(path, name).map(Path::toString).orElse(null);
    }

    /** Returns whether a command ends with success within a few seconds. */
    static boolean works(String... command) throws InterruptedException {
        try {
            Process process = Processes.start(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException notStarted) {
            return false;
        }
    }

    /** Returns what a supervisor cannot do on this host; empty if nothing is missing. */
    public Optional<String> missing() {
        List<String> missing = new ArrayList<>();
        if (setpriv == null) {
            missing.add(
                    "setpriv --pdeathsig: a process outlives its supervisor if that is killed with SIGKILL, until the"
                            + " next supervisor on this host ends it");
        }
        if (setsid == null) {
            missing.add("setsid: signals reach only the process itself, not its children");
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("this host lacks programs of util-linux. " + String.join(". ", missing));
    }

    boolean makesGroups() {
        return setsid != null;
    }

    /** Returns the command that becomes {@code command}. */
    List<String> wrap(List<String> command, long supervisor) {
        List<String> wrapped = new ArrayList<>();
        if (setsid != null) {
            wrapped.add(setsid);
        }
        if (setpriv != null) {
            wrapped.addAll(List.of(
                    setpriv,
                    DIE_WITH_PARENT,
                    KILL,
                    "--",
                    SHELL,
                    "-c",
                    "[ \"$PPID\" -eq \"$1\" ] || exit 1; shift; exec \"$@\"",
                    "sh",
                    Long.toString(supervisor)));
        }
        wrapped.addAll(command);
        return wrapped;
    }
}
