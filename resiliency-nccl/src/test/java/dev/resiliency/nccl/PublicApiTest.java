package dev.resiliency.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.state.LiveState;
import dev.resiliency.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the API of all modules small, here because this module sees the others. */
class PublicApiTest {
    /** Without the packages {@code .spi}, for those who build on a store, and without the artifact for tests. */
    private static final int MAX_TYPES = 70;

    private static final List<ModuleReference> MODULES = List.of(
            moduleOf(Store.class),
            moduleOf(Wrapper.class),
            moduleOf(LiveState.class),
            moduleOf(NcclCommunicator.class));

    @Test
    void usersMeetFewTypes() {
        Map<String, List<String>> types = MODULES.stream()
                .collect(Collectors.toMap(
                        module -> module.descriptor().name(),
                        PublicApiTest::publicTypes,
                        (one, other) -> one,
                        TreeMap::new));
        int total = types.values().stream().mapToInt(List::size).sum();

        assertThat(types.values()).hasSize(4).noneMatch(List::isEmpty);
        assertThat(total)
                .as(
                        "exported types: %s",
                        types.entrySet().stream()
                                .map(module -> module.getKey() + " has "
                                        + module.getValue().size() + " " + module.getValue())
                                .collect(Collectors.joining("\n")))
                .isLessThanOrEqualTo(MAX_TYPES);
    }

    @Test
    void internalPackagesAreNotExportedToAnyModule() {
        for (ModuleReference module : MODULES) {
            assertThat(module.descriptor().exports())
                    .as(module.descriptor().name())
                    .isNotEmpty()
                    .noneMatch(Exports::isQualified)
                    .extracting(Exports::source)
                    .noneMatch(name -> name.endsWith(".internal") || name.contains(".internal."));
        }
    }

    private static ModuleReference moduleOf(Class<?> type) {
        try {
            Path classes = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return ModuleFinder.of(classes).findAll().iterator().next();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> publicTypes(ModuleReference module) {
        Set<String> packages = module.descriptor().exports().stream()
                .map(Exports::source)
                .filter(name -> !(name + ".").contains(".spi."))
                .collect(Collectors.toSet());
        try (ModuleReader reader = module.open();
                Stream<String> files = reader.list()) {
            return files.filter(file -> file.endsWith(".class") && file.contains("/"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> packages.contains(name.substring(0, name.lastIndexOf('.'))))
                    .filter(PublicApiTest::isPublicAndTopLevel)
                    .map(name -> name.substring(name.lastIndexOf('.') + 1))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isPublicAndTopLevel(String name) {
        try {
            Class<?> type = Class.forName(name, false, PublicApiTest.class.getClassLoader());
            return Modifier.isPublic(type.getModifiers()) && !type.isMemberClass() && !type.isSynthetic();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
