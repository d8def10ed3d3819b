package dev.resiliency.inprocess.internal.jvmti;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.sun.jna.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmedControlTest {
    /** One that loads a class has the class loader's lock, so whoever loads that class, too, would wait for ever. */
    @Test
    void warmUpSuspendsAThreadOnlyWhereItHasNoLock() throws Exception {
        List<Thread.State> suspended = new ArrayList<>();
        List<Thread> victims = new ArrayList<>();
        JvmtiEnvironment jvmti = mock(JvmtiEnvironment.class);
        when(jvmti.suspend(any())).thenAnswer(call -> {
            Thread victim = call.getArgument(0);
            suspended.add(victim.getState());
            victims.add(victim);
            return JvmtiEnvironment.OK;
        });
        when(jvmti.threadState(any(), any())).thenAnswer(call -> {
            call.<Memory>getArgument(1).setInt(0, 0);
            return JvmtiEnvironment.OK;
        });
        JvmtiThreadControl control = new JvmtiThreadControl(jvmti);

        for (int i = 0; i < 200; i++) {
            control.warmUp();
        }

        assertThat(suspended).hasSize(400).containsOnly(Thread.State.WAITING);
        for (Thread victim : victims) {
            victim.join(Duration.ofMinutes(1).toMillis());
            assertThat(victim.isAlive()).isFalse();
        }
    }
}
