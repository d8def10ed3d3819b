package dev.resiliency.launcher.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EncodedNameTest {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]");

    private static String encoded(String name) {
        return EncodedName.of(name, ALLOWED);
    }

    @Test
    void ordinaryNamesStayAsTheyAre() {
        assertThat(encoded("gpu_1.rack-2")).isEqualTo("gpu_1.rack-2");
    }

    @Test
    void namesThatDifferStayDifferent() {
        String longName = "n".repeat(300);
        List<String> names = List.of(
                "gpu:1",
                "gpu_1",
                "gpu 1",
                "gpu/1",
                "gpu%3A1",
                "gpü1",
                "",
                "%unnamed",
                "_",
                longName + "1",
                longName + "2");

        assertThat(names.stream().map(EncodedNameTest::encoded)).doesNotHaveDuplicates();
        assertThat(encoded("gpu:1")).isEqualTo("gpu%3A1");
        assertThat(encoded("gpü")).isEqualTo("gp%C3%BC");
        assertThat(encoded(longName + "1")).hasSize(128).startsWith("nnn");
    }
}
