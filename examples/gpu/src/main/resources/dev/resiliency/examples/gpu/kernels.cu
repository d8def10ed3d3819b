// Source of kernels.ptx: nvcc -ptx -arch=compute_75 -fmad=false -o kernels.ptx kernels.cu

/** One step of gradient descent with momentum; the gradient is a sum over samples, and scale divides by their number. */
extern "C" __global__ void momentum(float *parameters, float *velocity, const float *gradient, float scale, float decay, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        velocity[i] = decay * velocity[i] - scale * gradient[i];
        parameters[i] += velocity[i];
    }
}

__device__ volatile int going = 1;

/** Never ends. */
extern "C" __global__ void spin(void) {
    while (going) {
    }
}

/** Writes to an illegal address. */
extern "C" __global__ void poke(void) {
    *(volatile int *) 8 = 1;
}
