package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LauncherLogTest {
    @Test
    void whatOthersHaveWrittenForgesNoLineAndReachesNoTerminal() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> copies = new ArrayList<>();
        LauncherLog log = new LauncherLog(new PrintStream(out, true, UTF_8), "[agent of n\u202e]");
        log.copyTo(copies::add);

        log.line("rank 0 hangs: section 'step\n2026-01-01 [agent of n] all is well\u001b[2J' is open");

        assertThat(out.toString(UTF_8).lines())
                .singleElement()
                .asString()
                .endsWith(
                        " [agent of n\\u202e] rank 0 hangs: section 'step\\n2026-01-01 [agent of n] all is well\\u001b[2J' is open");
        assertThat(copies).containsExactlyElementsOf(out.toString(UTF_8).lines().toList());
    }
}
