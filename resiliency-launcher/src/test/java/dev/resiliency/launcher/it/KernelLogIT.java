package dev.resiliency.launcher.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report has from the kernel's log, for which a pipe stands in: nothing can be written into the real one without harm. */
class KernelLogIT {
    @TempDir
    private Path directory;

    /** Returns a record as the kernel would write it now. */
    private static ByteBuffer record(String text) throws Exception {
        String uptime = Files.readString(Path.of("/proc/uptime"));
        long micros = (long) (1_000_000 * Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))));
        return ByteBuffer.wrap("4,1187,%d,-;%s\n".formatted(micros, text).getBytes(UTF_8));
    }

    @Test
    void rankWhoseGpuHasFallenOffTheBusIsReportedWithTheXid() throws Exception {
        Path log = directory.resolve("kmsg");
        Path end = directory.resolve("end");
        Path reports = directory.resolve("reports");
        assertThat(new ProcessBuilder("mkfifo", log.toString()).start().waitFor())
                .isZero();
        try (FileChannel kernel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Launched agent = Launched.script(
                        directory,
                        "node",
                        "echo ready; while [ ! -e '%s' ]; do sleep 0.05; done".formatted(end),
                        "--kernel-log",
                        log.toString(),
                        "--report-dir",
                        reports.toString())) {
            agent.awaitLine("ready");
            kernel.write(record("usb 1-1: new high-speed USB device"));
            kernel.write(ByteBuffer.wrap(
                    "4,1188,99999999999999999999999,-;NVRM: Xid (PCI:0000:3b:00): 48, pid=1\n".getBytes(UTF_8)));
            kernel.write(record("NVRM: Xid (PCI:0000:3b:00): 99999999999999999999999, pid=1, absurd"));
            kernel.write(record("NVRM: Xid (PCI:0000:3b:00): 79, pid=2741, GPU has fallen off the bus."));
            agent.rank(0).destroyForcibly();

            agent.awaitLog("report 1: GPU_XID(79)");
            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
        }
        assertThat(Files.readString(reports.resolve("report-default-1.txt")))
                .startsWith("report 1: GPU_XID(79)")
                .contains("GPU has fallen off the bus")
                .doesNotContain("USB");
    }
}
