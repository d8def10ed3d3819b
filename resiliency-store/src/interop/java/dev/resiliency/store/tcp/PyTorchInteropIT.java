package dev.resiliency.store.tcp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** PyTorch's own store and ours, each as the other's server, through one list of cases. */
class PyTorchInteropIT {

    /** Shows that the cases say what PyTorch does. */
    @Nested
    class PyTorchsClientOnPyTorchsServer extends QueueCases {
        private final PyTorchStore server = PyTorchStore.serve();

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        PyTorchStore connect() {
            return PyTorchStore.connect(server.port());
        }
    }

    @Nested
    class PyTorchsClientOnOurServer extends QueueCases {
        private final TcpStoreServer server;

        PyTorchsClientOnOurServer() throws InterruptedException {
            server = TcpStoreServer.builder().pytorch(true).start();
        }

        @AfterEach
        void closeServer() {
            server.close();
        }

        @Override
        PyTorchStore connect() {
            return PyTorchStore.connect(server.port());
        }
    }
}
