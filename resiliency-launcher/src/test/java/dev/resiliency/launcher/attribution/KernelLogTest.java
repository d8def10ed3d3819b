package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of a control group and of a device are Linux 6.18's; those of the host and of a GPU follow their format. */
class KernelLogTest {
    private static final String OOM_CONSTRAINT =
            "6,422,42690814554,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,"
                    + "oom_memcg=/job,task_memcg=/job,task=tail,pid=5765,uid=0\n";
    private static final String OOM_GROUP =
            "3,423,42690814581,-;Memory cgroup out of memory: Killed process 5765 (tail) total-vm:23140kB,"
                    + " anon-rss:20352kB, file-rss:1584kB, shmem-rss:0kB, UID:0 pgtables:84kB oom_score_adj:0\n";
    private static final String OOM_HOST = "3,1423,92690814581,-;Out of memory: Killed process 57651 (java)"
            + " total-vm:9231400kB, anon-rss:8203520kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:17000kB"
            + " oom_score_adj:0\n";
    private static final String DEVICE = "6,194,311938,-;acpi PNP0A08:00: _OSC: OS supports [ExtendedConfig ASPM"
            + " ClockPM Segments MSI HPX-Type3]\n SUBSYSTEM=acpi\n DEVICE=+acpi:PNP0A08:00\n";
    private static final String XID = "3,1187,86400000000,-,caller=T812;NVRM: Xid (PCI:0000:3b:00): 79,"
            + " pid='<unknown>', name=<unknown>, GPU has fallen off the bus.\n";

    private static KernelLog.Line parsed(String record) {
        List<KernelLog.Line> lines = KernelLog.parse(record);
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    private static List<String> texts(String... records) {
        return List.of(records).stream().map(record -> parsed(record).text()).toList();
    }

    @Test
    void recordHasItsTimeAndItsTextWithoutTheLinesOfTheDevice() {
        assertThat(parsed(DEVICE))
                .isEqualTo(new KernelLog.Line(
                        Duration.ofNanos(311_938_000),
                        "acpi PNP0A08:00: _OSC: OS supports [ExtendedConfig ASPM ClockPM Segments MSI HPX-Type3]"));
    }

    @Test
    void recordMayNameItsCaller() {
        assertThat(parsed(XID).sinceBoot()).isEqualTo(Duration.ofDays(1));
        assertThat(parsed(XID).text()).startsWith("NVRM: Xid (PCI:0000:3b:00): 79,");
    }

    @Test
    void severalRecordsMayComeAtOnce() {
        assertThat(KernelLog.parse(DEVICE + XID + OOM_HOST))
                .containsExactly(parsed(DEVICE), parsed(XID), parsed(OOM_HOST));
    }

    /** Whoever may write to the log of the kernel writes what it likes. */
    @Test
    void numbersThatAreNoneAreSkipped() {
        String many = "9".repeat(23);

        assertThat(KernelLog.parse("6,1," + many + ",-;text\n" + XID)).containsExactly(parsed(XID));
        assertThat(parsed("6,1," + "9".repeat(18) + ",-;text\n").sinceBoot()).isPositive();
        assertThat(KernelLog.xid(List.of(
                        "NVRM: Xid (PCI:0000:3b:00): " + many + ", pid=1", "NVRM: Xid (PCI:0000:3b:00): 79, pid=1")))
                .hasValue(79);
        assertThat(KernelLog.hasKilled(List.of("Out of memory: Killed process " + many + " (java)"), 1))
                .isFalse();
    }

    @Test
    void whatIsNoRecordIsLeftOut() {
        assertThat(KernelLog.parse("")).isEmpty();
        assertThat(KernelLog.parse(" SUBSYSTEM=acpi\n")).isEmpty();
    }

    @Test
    void linesThatMayExplainAnEndAreNotable() {
        assertThat(texts(OOM_CONSTRAINT, OOM_GROUP, OOM_HOST, XID)).allMatch(KernelLog::isNotable);
        assertThat(texts(DEVICE, "6,373,42690814418,-;memory: usage 20480kB, limit 20480kB, failcnt 23\n"))
                .noneMatch(KernelLog::isNotable);
    }

    @Test
    void processThatTheKernelKilledIsNamed() {
        assertThat(KernelLog.hasKilled(texts(OOM_CONSTRAINT, OOM_GROUP), 5765)).isTrue();
        assertThat(KernelLog.hasKilled(texts(OOM_HOST), 57651)).isTrue();
        assertThat(KernelLog.hasKilled(texts(OOM_HOST), 5765)).isFalse();
    }

    @Test
    void firstErrorOfAGpuCounts() {
        String later = "3,1188,86400000100,-;NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed\n";

        assertThat(KernelLog.xid(texts(OOM_GROUP, XID, later))).hasValue(79);
        assertThat(KernelLog.xid(texts(OOM_GROUP))).isEmpty();
    }
}
