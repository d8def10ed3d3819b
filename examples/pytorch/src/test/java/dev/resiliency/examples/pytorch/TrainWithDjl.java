package dev.resiliency.examples.pytorch;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Parameter;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.util.Pair;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.Store;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A training with DJL to copy, as {@code docs/pytorch.md} says: all ranks sum their gradients over a ring of sockets. */
public final class TrainWithDjl {
    private static final int STEPS = Integer.getInteger("steps", 1_000);

    private TrainWithDjl() {}

    public static void main(String[] arguments) throws Exception {
        Model.newInstance("first", "PyTorch").close(); // loads libtorch before the wrapper watches
        System.out.println("the last loss is " + Wrapper.builder().build().call(TrainWithDjl::train));
    }

    private static float train(CallWrapper call) throws Exception {
        int rank = call.state().activeRank();
        int ranks = call.state().activeWorldSize();
        TrainingConfig config = new DefaultTrainingConfig(Loss.l2Loss())
                .optOptimizer(Optimizer.sgd()
                        .setLearningRateTracker(Tracker.fixed(0.05f))
                        .build());
        try (Ring ring = new Ring(rank, ranks);
                Model model = Model.newInstance("sum", "PyTorch")) { // anew in each call
            call.onAbort(ring::close); // before connecting, which can block as well
            ring.connect(call.store());
            model.setBlock(Linear.builder().setUnits(1).build());
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.getManager().getEngine().setRandomSeed(42); // the same weights on all ranks,
                trainer.initialize(new Shape(16, 4));
                trainer.getManager().getEngine().setRandomSeed(43 + rank); // and other data on each
                float last = Float.NaN;
                for (int step = 0; step < STEPS; step++) {
                    call.ping();
                    last = step(trainer, model, ring, ranks);
                    if (step == 0) {
                        System.out.println("training with " + ranks + " ranks");
                    }
                }
                return last;
            }
        }
    }

    private static float step(Trainer trainer, Model model, Ring ring, int ranks) throws IOException {
        try (NDManager oneStep = trainer.getManager().newSubManager()) { // frees the arrays of this step
            NDArray inputs = oneStep.randomUniform(0, 1, new Shape(16, 4));
            NDArray labels = inputs.sum(new int[] {1}, true);
            float lost;
            try (GradientCollector collector = trainer.newGradientCollector()) {
                NDArray outputs = trainer.forward(new NDList(inputs)).singletonOrThrow();
                NDArray loss = trainer.getLoss().evaluate(new NDList(labels), new NDList(outputs));
                collector.backward(loss);
                lost = loss.getFloat();
            }
            for (Pair<String, Parameter> parameter : model.getBlock().getParameters()) {
                NDArray gradient = parameter.getValue().getArray().getGradient(); // never close it
                float[] sum = gradient.toFloatArray();
                ring.allReduce(sum);
                for (int i = 0; i < sum.length; i++) {
                    sum[i] /= ranks;
                }
                gradient.set(sum);
            }
            trainer.step();
            return lost;
        }
    }

    /** Sums arrays over all ranks of one host. What waits in it ends when another thread closes it. */
    private static final class Ring implements Closeable {
        private final int rank;
        private final int ranks;
        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final Socket toNext = new Socket();
        private volatile Socket fromPrevious = new Socket();

        Ring(int rank, int ranks) throws IOException {
            this.rank = rank;
            this.ranks = ranks;
        }

        void connect(Store store) throws IOException, InterruptedException {
            store.set("ring/" + rank, Integer.toString(server.getLocalPort()));
            int port = Integer.parseInt(store.get("ring/" + (rank + 1) % ranks).text());
            toNext.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            fromPrevious = server.accept();
            if (server.isClosed()) { // meanwhile
                fromPrevious.close();
            }
        }

        /** Each rank adds what it receives; then the total goes round, so that all have the same bits. */
        void allReduce(float[] data) throws IOException {
            if (ranks == 1) {
                return;
            }
            if (rank > 0) {
                float[] sum = receive(data.length);
                for (int i = 0; i < data.length; i++) {
                    data[i] += sum[i];
                }
            }
            send(data);
            System.arraycopy(receive(data.length), 0, data, 0, data.length);
            if (rank < ranks - 1) {
                send(data);
            }
        }

        private void send(float[] data) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(data.length * Float.BYTES);
            bytes.asFloatBuffer().put(data);
            toNext.getOutputStream().write(bytes.array());
        }

        private float[] receive(int length) throws IOException {
            byte[] bytes = fromPrevious.getInputStream().readNBytes(length * Float.BYTES);
            if (bytes.length < length * Float.BYTES) {
                throw new IOException("the rank before this one has left the ring");
            }
            float[] data = new float[length];
            ByteBuffer.wrap(bytes).asFloatBuffer().get(data);
            return data;
        }

        @Override
        public void close() throws IOException {
            server.close();
            toNext.close();
            fromPrevious.close();
        }
    }
}
