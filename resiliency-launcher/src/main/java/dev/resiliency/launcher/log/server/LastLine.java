package dev.resiliency.launcher.log.server;

import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.resiliency.launcher.rpc.log.StreamResponse;
import java.util.List;

/**
 * What this server adds to the answer to a stream: the number of the last line of its node and cycle. A field with a number far
 * from those of others, which their clients ignore, as {@code LogChunk.first_line} is ignored by their servers.
 */
final class LastLine {
    private static final int FIELD = 1001;

    private LastLine() {}

    /** Returns an answer with the number. */
    static StreamResponse in(StreamResponse.Builder answer, long number) {
        return answer.setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(FIELD, Field.newBuilder().addVarint(number).build())
                        .build())
                .build();
    }

    /** Returns the number in an answer; 0 if there is none, from another server. */
    static long of(StreamResponse answer) {
        List<Long> numbers = answer.getUnknownFields().getField(FIELD).getVarintList();
        return numbers.isEmpty() ? 0 : numbers.get(0);
    }
}
