package dev.resiliency.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.agent.AgentEvent.Asked;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.process.RunDirectory;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.JobPart;
import dev.resiliency.monitor.spi.StampWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a process stamps, by the client that it would use, and what its agent makes of it. */
class NodeStampsTest {
    private final NodeStamps monitor =
            NodeStamps.open(MonitorSettings.DEFAULT, RunDirectory.none(), "job", "node", LauncherLog.ofAgent("test"));

    @AfterEach
    void close() {
        monitor.close();
    }

    /** Starts the watch of process 0. */
    private StampWriter begin() throws Exception {
        StampWriter writer = StampWriter.of(Path.of(monitor.open(0).orElseThrow()));
        monitor.begin(0);
        return writer;
    }

    @Test
    void whatAProcessAsksForIsAnEvent() throws Exception {
        StampWriter writer = begin();
        assertThat(monitor.look()).isEmpty();

        writer.request(WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors");

        assertThat(monitor.look()).containsExactly(new Asked(0, WorkloadAction.EXCLUDE_THIS_NODE, "ECC errors"));
        assertThat(monitor.look()).isEmpty();
    }

    @Test
    void whatAProcessHasAskedForAtLastIsFoundWhenItHasEnded() throws Exception {
        begin().request(WorkloadAction.SHUTDOWN_WORKLOAD, "NaN");

        assertThat(monitor.end(0)).contains(new Asked(0, WorkloadAction.SHUTDOWN_WORKLOAD, "NaN"));
        assertThat(monitor.end(0)).isEmpty();
    }

    @Test
    void partInTheJobIsKnownUntilTheNextProcessStarts() throws Exception {
        assertThat(monitor.partOf(0)).isEqualTo(JobPart.NONE);
        begin().take(JobPart.MEMBER);
        monitor.end(0);
        assertThat(monitor.partOf(0)).isEqualTo(JobPart.MEMBER);

        begin();

        assertThat(monitor.partOf(0)).isEqualTo(JobPart.NONE);
    }

    @Test
    void lastIterationIsKnownAlsoOfProcessesThatHaveBeenReplaced() throws Exception {
        assertThat(monitor.iteration()).isNegative();
        begin().enter(101, 0, OptionalInt.of(0));
        assertThat(monitor.iteration()).isEqualTo(101);
        monitor.end(0);

        StampWriter next = begin();
        assertThat(monitor.iteration()).isEqualTo(101);

        next.enter(102, 4, OptionalInt.empty());
        assertThat(monitor.iteration()).isEqualTo(102);
    }

    @Test
    void processLearnsHowTheWorldHasChangedAndIsWarned() throws Exception {
        monitor.changeWorld(new WorldEvent.Started(2, 4));
        StampWriter writer = begin();
        monitor.tell(new WorldEvent.Pausing(3, 4));

        assertThat(writer.nextEvent()).containsInstanceOf(WorldEvent.Started.class);
        assertThat(writer.nextEvent()).containsInstanceOf(WorldEvent.Pausing.class);
        assertThat(writer.nextEvent()).isEmpty();
    }

    @Test
    void progressIsUnknownWithoutASession() throws Exception {
        begin().ping(17);
        List<String> shared = new ArrayList<>();

        monitor.shareProgress("rank-0", shared::add);

        assertThat(shared).containsExactly("");
    }

    @Test
    void processWithoutAFileHasStampedNothing() {
        assertThat(monitor.stamps(7)).isEmpty();
        assertThat(monitor.processOf(7)).isZero();
        assertThat(monitor.restartsAfter(7, 0)).isEmpty();
    }
}
