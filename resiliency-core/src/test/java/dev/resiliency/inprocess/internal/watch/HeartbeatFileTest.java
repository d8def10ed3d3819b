package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.watch.HeartbeatFile.Stamps;
import dev.resiliency.monitor.spi.MemoryUse;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class HeartbeatFileTest {

    @Test
    void newFileIsInNoIterationAndImposesNoLimit() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(3))) {
            assertThat(file.path().getFileName().toString()).startsWith("resiliency-heartbeat-r3-");
            assertThat(file.iteration()).isEqualTo(-1);
            assertThat(file.stamps())
                    .isEqualTo(new Stamps(HeartbeatFile.NONE, HeartbeatFile.NEVER, HeartbeatFile.NEVER));
            assertThat(file.loop()).isEqualTo(HeartbeatFile.NEVER);
        }
    }

    @Test
    void cyclesOfTheLoopAreStampedApart() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(3));
                HeartbeatFile other = HeartbeatFile.open(file.path())) {
            file.stampLoop(77);

            assertThat(other.loop()).isEqualTo(77);
            assertThat(other.stamps())
                    .isEqualTo(new Stamps(HeartbeatFile.NONE, HeartbeatFile.NEVER, HeartbeatFile.NEVER));
        }
    }

    @Test
    void memoryThatIsNotKnownYetIsNone() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(3));
                HeartbeatFile other = HeartbeatFile.open(file.path())) {
            assertThat(other.memory()).isEqualTo(MemoryUse.NONE);

            file.stampMemory(new MemoryUse(98, 12, MemoryUse.UNKNOWN, false));

            assertThat(other.memory()).isEqualTo(new MemoryUse(98, 12, MemoryUse.UNKNOWN, false));
        }
    }

    @Test
    void fileIsReadAndWrittenByItsOwnerAlone() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(3))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void fileThatIsTakenOverIsGoneWhileBothUseIt() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(3))) {
            HeartbeatFile other = HeartbeatFile.takeOver(file.path());

            file.enter(5, 20);

            assertThat(other.iteration()).isEqualTo(5);
            assertThat(file.path()).doesNotExist();
        }
    }

    @Test
    void whatIsWrittenIsReadByWhoeverHasOpenedTheFile() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0))) {
            HeartbeatFile other = HeartbeatFile.open(file.path());

            file.enter(5, Long.MAX_VALUE - 5);
            file.stamp(5, 5, Long.MIN_VALUE, Long.MAX_VALUE);

            assertThat(other.iteration()).isEqualTo(5);
            assertThat(other.stamps()).isEqualTo(new Stamps(5, Long.MIN_VALUE, Long.MAX_VALUE));
        }
    }

    @Test
    void rankWhoseFileIsTruncatedGoesOnAndSoDoesItsMonitorProcess() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0))) {
            file.enter(5, 20);
            Files.write(file.path(), new byte[0]);
            HeartbeatFile other = HeartbeatFile.open(file.path());
            assertThat(other.iteration()).isEqualTo(HeartbeatFile.NONE);
            assertThat(other.stamps().watched()).isEqualTo(HeartbeatFile.NONE);

            for (int i = 1; i <= 50_000; i++) { // compiled, too
                if (i % 10_000 == 0) {
                    Files.write(file.path(), new byte[i / 10_000]);
                }
                file.stampLoop(i);
                file.stamp(5, 5, i, i);
            }

            assertThat(other.iteration()).isEqualTo(5);
            assertThat(other.stamps()).isEqualTo(new Stamps(5, 50_000, 50_000));
            assertThat(other.loop()).isEqualTo(50_000);
        }
    }

    @Test
    void iterationThatTheWatchdogHasNotSeenIsTimedFromItsEntry() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0))) {
            file.enter(0, 20);
            file.stamp(0, 0, 30, 25);

            file.enter(1, 90);
            assertThat(file.stamps()).isEqualTo(new Stamps(1, 90, HeartbeatFile.NEVER));
            file.stamp(0, HeartbeatFile.NONE, 100, HeartbeatFile.NEVER);
            assertThat(file.stamps()).isEqualTo(new Stamps(1, 100, HeartbeatFile.NEVER));
            file.stamp(1, 1, 110, 120);
            assertThat(file.stamps()).isEqualTo(new Stamps(1, 110, 120));
        }
    }

    @Test
    void iterationThatIsNoLongerWatchedHasNoLimit() throws Exception {
        try (HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0))) {
            file.enter(0, 20);
            file.stamp(0, HeartbeatFile.NONE, 30, HeartbeatFile.NEVER);

            assertThat(file.stamps()).isEqualTo(new Stamps(HeartbeatFile.NONE, 30, HeartbeatFile.NEVER));
        }
    }

    @Test
    void closingDeletesTheFileEvenIfItIsGone() throws Exception {
        HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0));

        file.close();

        assertThat(Files.exists(file.path())).isFalse();
        file.close();
    }

    @Test
    void whatWasReadStaysReadableWhenTheFileIsGone() throws Exception {
        HeartbeatFile file = HeartbeatFile.create(HeartbeatFile.newPath(0));
        HeartbeatFile other = HeartbeatFile.open(file.path());
        file.enter(7, 0);

        file.close();

        assertThat(other.iteration()).isEqualTo(7);
    }
}
