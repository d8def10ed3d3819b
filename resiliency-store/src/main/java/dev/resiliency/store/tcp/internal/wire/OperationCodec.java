package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes operations: a code u8, then the operation's fields in the order of its record, as {@link WireWriter} writes
 * them. An optional field is preceded by a flag u8. A listener is represented by the id of its watch, i64.
 */
public final class OperationCodec {
    private static final Map<Class<?>, Form> FORMS = new HashMap<>();
    private static final Map<Integer, Form> FORMS_BY_CODE = new HashMap<>();

    static {
        define(
                1,
                Operation.Set.class,
                (set, out) -> out.text(set.key()).value(set.value()),
                in -> new Operation.Set(in.text(), in.value()));
        define(2, Operation.Get.class, (get, out) -> out.text(get.key()), in -> new Operation.Get(in.text()));
        define(
                3,
                Operation.Add.class,
                (add, out) -> out.text(add.key()).number(add.delta()),
                in -> new Operation.Add(in.text(), in.number()));
        define(
                4,
                Operation.Append.class,
                (append, out) -> out.text(append.key()).value(append.value()).number(append.below()),
                in -> new Operation.Append(in.text(), in.value(), in.number()));
        define(
                5,
                Operation.CompareAndSet.class,
                (set, out) -> out.text(set.key()).value(set.expected()).value(set.desired()),
                in -> new Operation.CompareAndSet(in.text(), in.value(), in.value()));
        define(
                6,
                Operation.Claim.class,
                (claim, out) -> out.text(claim.key()).value(claim.value()),
                in -> new Operation.Claim(in.text(), in.value()));
        define(
                7,
                Operation.Check.class,
                (check, out) -> out.list(check.keys(), out::text),
                in -> new Operation.Check(in.list(WireReader::text)));
        define(
                8,
                Operation.Await.class,
                (await, out) -> out.list(await.keys(), out::text),
                in -> new Operation.Await(in.list(WireReader::text)));
        define(
                9,
                Operation.Delete.class,
                (delete, out) -> out.text(delete.key()),
                in -> new Operation.Delete(in.text()));
        define(
                10,
                Operation.DeleteAll.class,
                (delete, out) -> out.text(delete.prefix()),
                in -> new Operation.DeleteAll(in.text()));
        define(
                11,
                Operation.MultiGet.class,
                (get, out) -> out.list(get.keys(), out::text),
                in -> new Operation.MultiGet(in.list(WireReader::text)));
        define(12, Operation.MultiSet.class, OperationCodec::writeMultiSet, OperationCodec::readMultiSet);
        define(
                13,
                Operation.KeyCount.class,
                (count, out) -> out.text(count.prefix()),
                in -> new Operation.KeyCount(in.text()));
        define(14, Operation.Keys.class, (keys, out) -> out.text(keys.prefix()), in -> new Operation.Keys(in.text()));
        define(
                15,
                Operation.AddToSet.class,
                (add, out) -> out.text(add.key()).indexSet(add.members()),
                in -> new Operation.AddToSet(in.text(), in.indexSet()));
        define(
                16,
                Operation.Members.class,
                (members, out) -> out.text(members.key()),
                in -> new Operation.Members(in.text()));
        define(17, Operation.Arrive.class, OperationCodec::writeArrive, OperationCodec::readArrive);
        define(
                18,
                Operation.Watch.class,
                (watch, out) -> out.text(watch.key()).number(out.watches().idOf(watch)),
                in -> new Operation.Watch(in.text(), in.watches().listener(in.number(), false)));
        define(
                19,
                Operation.Unwatch.class,
                (unwatch, out) -> out.text(unwatch.key()).number(out.watches().idOf(unwatch)),
                in -> new Operation.Unwatch(in.text(), in.watches().listener(in.number(), false)));
        define(
                20,
                Operation.LastWill.class,
                (will, out) -> writeAll(will.operations(), out),
                in -> new Operation.LastWill(readAll(in)));
        define(
                21,
                Operation.Lease.class,
                (lease, out) -> out.duration(lease.duration()),
                in -> new Operation.Lease(in.duration()));
        define(
                22,
                Operation.Renew.class,
                (renew, out) -> out.number(renew.session()).value(renew.token()),
                in -> new Operation.Renew(in.number(), in.value()));
        define(
                23,
                Operation.WatchPrefix.class,
                (watch, out) -> out.text(watch.prefix()).number(out.watches().idOf(watch)),
                in -> new Operation.WatchPrefix(in.text(), in.watches().listener(in.number(), true)));
        define(
                24,
                Operation.UnwatchPrefix.class,
                (unwatch, out) ->
                        out.text(unwatch.prefix()).number(out.watches().idOf(unwatch)),
                in -> new Operation.UnwatchPrefix(in.text(), in.watches().listener(in.number(), true)));
        define(
                25,
                Operation.Confirm.class,
                (confirm, out) -> out.text(confirm.key()).indexSet(confirm.members()),
                in -> new Operation.Confirm(in.text(), in.indexSet()));
        define(
                26,
                Operation.GetPart.class,
                (get, out) -> out.text(get.key()).varint(get.part()),
                in -> new Operation.GetPart(in.text(), in.varint()));
    }

    private OperationCodec() {}

    /** The codec of one kind of operation. */
    private record Form(
            int code, BiConsumer<Operation<?>, WireWriter> write, Function<WireReader, ? extends Operation<?>> read) {}

    private static <O extends Operation<?>> void define(
            int code, Class<O> type, BiConsumer<O, WireWriter> write, Function<WireReader, O> read) {
        Form form = new Form(code, (operation, out) -> write.accept(type.cast(operation), out), read);
        FORMS.put(type, form);
        FORMS_BY_CODE.put(code, form);
    }

    public static void writeAll(List<? extends Operation<?>> operations, WireWriter out) {
        out.list(operations, operation -> write(operation, out));
    }

    private static void write(Operation<?> operation, WireWriter out) {
        Form form = Objects.requireNonNull(FORMS.get(operation.getClass()));
        out.byteOf(form.code());
        form.write().accept(operation, out);
    }

    /** Reads operations; throws a {@link ProtocolException} if the bytes are none. */
    public static List<Operation<?>> readAll(WireReader in) {
        return in.nested(deeper -> deeper.list(OperationCodec::read));
    }

    private static Operation<?> read(WireReader in) {
        int code = in.byteOf();
        Form form = FORMS_BY_CODE.get(code);
        if (form == null) {
            throw new ProtocolException("unknown operation " + code);
        }
        try {
            return form.read().apply(in);
        } catch (IllegalArgumentException impossible) {
            throw new ProtocolException(String.valueOf(impossible.getMessage()));
        }
    }

    private static void writeMultiSet(Operation.MultiSet operation, WireWriter out) {
        out.list(
                operation.values().entrySet(), entry -> out.text(entry.getKey()).value(entry.getValue()));
    }

    private static Operation.MultiSet readMultiSet(WireReader in) {
        Map<String, Value> values = new LinkedHashMap<>();
        for (int rest = in.listSize(); rest > 0; rest--) {
            values.put(in.text(), in.value());
        }
        return new Operation.MultiSet(values);
    }

    private static void writeArrive(Operation.Arrive arrive, WireWriter out) {
        Barrier barrier = arrive.barrier();
        out.text(barrier.name());
        IndexSet expected = barrier.expected();
        out.flag(expected != null);
        if (expected != null) {
            out.indexSet(expected);
        }
        writeOptional(barrier.expectedIn(), out);
        writeOptional(barrier.excusedIn(), out);
        out.flag(barrier.half());
        writeAll(barrier.whenComplete(), out);
        out.indexSet(arrive.participants()).flag(arrive.waits());
    }

    private static Operation.Arrive readArrive(WireReader in) {
        Barrier barrier = new Barrier(
                in.text(),
                in.flag() ? in.indexSet() : null,
                readOptional(in),
                readOptional(in),
                in.flag(),
                readAll(in));
        return new Operation.Arrive(barrier, in.indexSet(), in.flag());
    }

    private static void writeOptional(@Nullable String text, WireWriter out) {
        out.flag(text != null);
        if (text != null) {
            out.text(text);
        }
    }

    private static @Nullable String readOptional(WireReader in) {
        return in.flag() ? in.text() : null;
    }
}
