package dev.resiliency.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
    @Test
    void bufferThatIsNotReleasedIsFound() {
        leak();

        List<String> found = new ArrayList<>();
        await().atMost(Duration.ofSeconds(20)).until(() -> found.addAll(LeakCheck.find()));

        assertThat(found).first().asString().contains("LEAK", "bufferThatIsNotReleasedIsFound");
    }

    private static void leak() {
        ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer();
        buffer.writeByte(1);
    }
}
