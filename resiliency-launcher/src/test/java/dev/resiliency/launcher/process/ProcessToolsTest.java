package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessToolsTest {
    private static final String NO_SETPRIV =
            "setpriv --pdeathsig: a process outlives its supervisor if that is killed with SIGKILL, until the next"
                    + " supervisor on this host ends it";
    private static final String NO_SETSID = "setsid: signals reach only the process itself, not its children";
    private static final String LACKS = "this host lacks programs of util-linux. ";

    @TempDir
    private Path directory;

    /** Installs a program that checks its first arguments, and ends with this code. */
    private String install(String name, String arguments, int code) throws IOException {
        Path program = Files.writeString(
                directory.resolve(name),
                "#!/bin/sh\ncase \"$*\" in '%s'*) exit %d;; esac\nexit 99\n".formatted(arguments, code));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program.toString();
    }

    private ProcessTools find() throws InterruptedException {
        return ProcessTools.find(directory.toString());
    }

    @Test
    void processHasAGroupAndEndsWithTheSupervisor() throws Exception {
        String setsid = install("setsid", "/bin/sh -c", 0);
        String setpriv = install("setpriv", "--pdeathsig KILL -- /bin/sh -c", 0);

        ProcessTools tools = find();

        assertThat(tools.missing()).isEmpty();
        assertThat(tools.makesGroups()).isTrue();
        assertThat(tools.wrap(List.of("java", "Train"), 42))
                .containsExactly(
                        setsid,
                        setpriv,
                        "--pdeathsig",
                        "KILL",
                        "--",
                        "/bin/sh",
                        "-c",
                        "[ \"$PPID\" -eq \"$1\" ] || exit 1; shift; exec \"$@\"",
                        "sh",
                        "42",
                        "java",
                        "Train");
    }

    @Test
    void programsThatTheHostLacksAreNamed() throws Exception {
        ProcessTools tools = find();

        assertThat(tools.missing()).contains(LACKS + NO_SETPRIV + ". " + NO_SETSID);
        assertThat(tools.makesGroups()).isFalse();
        assertThat(tools.wrap(List.of("java"), 42)).containsExactly("java");
    }

    @Test
    void programThatFailsIsNotUsed() throws Exception {
        String setsid = install("setsid", "/bin/sh -c", 0);
        install("setpriv", "--pdeathsig KILL -- /bin/sh -c", 1); // as that of BusyBox

        ProcessTools tools = find();

        assertThat(tools.missing()).contains(LACKS + NO_SETPRIV);
        assertThat(tools.wrap(List.of("java"), 42)).containsExactly(setsid, "java");
        install("setsid", "/bin/sh -c", 1);
        assertThat(find().missing()).contains(LACKS + NO_SETPRIV + ". " + NO_SETSID);
    }

    @Test
    void commandThatCannotBeStartedDoesNotWork() throws Exception {
        assertThat(ProcessTools.works("/bin/sh", "-c", ":")).isTrue();
        assertThat(ProcessTools.works("/bin/sh", "-c", "exit 3")).isFalse();
        assertThat(ProcessTools.works(directory.resolve("absent").toString())).isFalse();
    }
}
