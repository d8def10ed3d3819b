package dev.resiliency.xgboost;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import ml.dmlc.xgboost4j.java.Communicator.DataType;
import ml.dmlc.xgboost4j.java.Communicator.OpType;
import ml.dmlc.xgboost4j.java.XGBoostError;
import ml.dmlc.xgboost4j.java.XGBoostJNI;

/**
 * XGBoost's collective operations on the communicator of the calling thread. {@code Communicator.allReduce} ignores whether
 * it has failed, and knows floats only; so this calls what it calls.
 */
final class Collectives {
    private static final MethodHandle ALL_REDUCE = allReduce();

    private Collectives() {}

    private static MethodHandle allReduce() {
        try {
            return MethodHandles.privateLookupIn(XGBoostJNI.class, MethodHandles.lookup())
                    .findStatic(
                            XGBoostJNI.class,
                            "CommunicatorAllreduce",
                            MethodType.methodType(int.class, ByteBuffer.class, int.class, int.class, int.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of XGBoost4J is not supported: " + e, e);
        }
    }

    static float[] allReduce(float[] values, OpType operation) throws XGBoostError {
        ByteBuffer buffer = buffer(values.length, DataType.FLOAT32);
        buffer.asFloatBuffer().put(values);
        reduce(buffer, values.length, DataType.FLOAT32, operation);
        float[] result = new float[values.length];
        buffer.asFloatBuffer().get(result);
        return result;
    }

    static double[] allReduce(double[] values, OpType operation) throws XGBoostError {
        ByteBuffer buffer = buffer(values.length, DataType.FLOAT64);
        buffer.asDoubleBuffer().put(values);
        reduce(buffer, values.length, DataType.FLOAT64, operation);
        double[] result = new double[values.length];
        buffer.asDoubleBuffer().get(result);
        return result;
    }

    static long[] allReduce(long[] values, OpType operation) throws XGBoostError {
        ByteBuffer buffer = buffer(values.length, DataType.INT64);
        buffer.asLongBuffer().put(values);
        reduce(buffer, values.length, DataType.INT64, operation);
        long[] result = new long[values.length];
        buffer.asLongBuffer().get(result);
        return result;
    }

    /** Returns the bytes of the rank that is the root: all others add zeros to them. */
    static byte[] broadcast(byte[] bytes, boolean isRoot) throws XGBoostError {
        int length = Math.toIntExact(allReduce(new long[] {isRoot ? bytes.length : 0}, OpType.SUM)[0]);
        ByteBuffer buffer = buffer(length, DataType.UINT8);
        if (isRoot) {
            buffer.put(bytes).rewind();
        }
        reduce(buffer, length, DataType.UINT8, OpType.SUM);
        byte[] result = new byte[length];
        buffer.get(result);
        return result;
    }

    private static ByteBuffer buffer(int count, DataType type) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(count, type.getSize()))
                .order(ByteOrder.nativeOrder());
    }

    private static void reduce(ByteBuffer buffer, int count, DataType type, OpType operation) throws XGBoostError {
        if (count > 0 && call(buffer, count, type, operation) != 0) {
            throw new XGBoostError(XGBoostJNI.XGBGetLastError());
        }
    }

    private static int call(ByteBuffer buffer, int count, DataType type, OpType operation) {
        try {
            return (int) ALL_REDUCE.invokeExact(buffer, count, type.getEnumOp(), operation.getOperand());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a native method throws nothing else", impossible);
        }
    }
}
