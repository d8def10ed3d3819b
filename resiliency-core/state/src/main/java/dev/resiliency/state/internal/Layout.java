package dev.resiliency.state.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names, types and sizes of the buffers of a state, by which ranks find that they hold the same ones.
 *
 * @param buffers a text about each buffer, such as {@code 12 floats}, by its name
 */
record Layout(TreeMap<String, String> buffers) {
    private static final String SEPARATOR = "\t";

    static Layout of(Collection<? extends Region> regions) {
        TreeMap<String, String> buffers = new TreeMap<>();
        for (Region region : regions) {
            buffers.put(region.name(), describe(region));
        }
        return new Layout(buffers);
    }

    /** Returns this layout with the buffers of a shard, whose sizes may differ from rank to rank. */
    Layout withShards(Collection<? extends Region> regions, int count) {
        TreeMap<String, String> all = new TreeMap<>(buffers);
        for (Region region : regions) {
            all.put(region.name(), nameOf(region.type()) + " in " + count + " shards");
        }
        return new Layout(all);
    }

    /** Returns size and type, such as {@code 12 floats}; of a value, the type alone. */
    static String describe(Region region) {
        return region.type() == Region.ElementType.VALUE
                ? nameOf(region.type())
                : region.bytes() / region.type().bytes() + " " + nameOf(region.type());
    }

    static String nameOf(Region.ElementType type) {
        return switch (type) {
            case MEMORY -> "bytes of memory";
            case EXTERNAL -> "bytes of external memory";
            case VALUE -> "bytes of any length";
            default -> type.toString().toLowerCase(Locale.ROOT);
        };
    }

    /** Returns a text from which {@link #decode} makes the same layout. */
    String encode() {
        return buffers.entrySet().stream()
                .map(buffer -> buffer.getKey() + SEPARATOR + buffer.getValue())
                .collect(joining("\n"));
    }

    static Layout decode(String text) {
        TreeMap<String, String> buffers = new TreeMap<>();
        text.lines().forEach(line -> {
            int end = line.indexOf(SEPARATOR);
            buffers.put(line.substring(0, end), line.substring(end + 1));
        });
        return new Layout(buffers);
    }

    /** Returns a text that is the same for equal layouts and, as far as anyone can tell, for no others. */
    String fingerprint() {
        return HexFormat.of().formatHex(Digest.sha256(encode().getBytes(UTF_8)), 0, Long.BYTES);
    }

    /** Returns how this layout differs from another one, in words; the two are not equal. */
    String difference(Layout other) {
        for (Map.Entry<String, String> buffer : buffers.entrySet()) {
            String theirs = other.buffers.get(buffer.getKey());
            if (!buffer.getValue().equals(theirs)) {
                return "'%s' of %s, and the other %s"
                        .formatted(buffer.getKey(), buffer.getValue(), theirs == null ? "has none" : "of " + theirs);
            }
        }
        String missing = other.buffers.keySet().stream()
                .filter(name -> !buffers.containsKey(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the layouts are equal"));
        return "no '%s', and the other one of %s".formatted(missing, other.buffers.get(missing));
    }
}
