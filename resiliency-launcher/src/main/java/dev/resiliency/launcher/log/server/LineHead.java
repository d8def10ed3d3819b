package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** What stands before a line in the merged file, {@code host1:17 }, of one line after the other. Confined to one thread. */
final class LineHead {
    /** Room for all digits that a number may have. */
    private static final int MOST_DIGITS = 19;

    private final byte[] bytes;
    private final int firstDigit;
    /** Where the blank behind the number is. */
    private int end;

    /** Creates the head of a line of a node, which has this number. */
    LineHead(String node, long number) {
        byte[] head = (node + ":" + number + " ").getBytes(US_ASCII);
        firstDigit = node.length() + 1;
        end = head.length - 1;
        bytes = Arrays.copyOf(head, firstDigit + MOST_DIGITS + 1);
    }

    int length() {
        return end + 1;
    }

    void putTo(ByteBuffer target) {
        target.put(bytes, 0, end + 1);
    }

    /** Goes on to the next number. Counts in the digits: to print each number costs more than all else that is done for a line. */
    void advance() {
        int digit = end - 1;
        while (digit >= firstDigit && bytes[digit] == '9') {
            bytes[digit--] = '0';
        }
        if (digit >= firstDigit) {
            bytes[digit]++;
            return;
        }
        bytes[firstDigit] = '1';
        bytes[end++] = '0';
        bytes[end] = ' ';
    }
}
