/* libcudart.so.12 or .13, by the macro CUDA: devices, memory, streams. */
#include "shim.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_MEMORY (80UL << 30)
#define HEADER 64

static size_t allocated[SHIM_DEVICES];

struct allocation {
    size_t bytes;
    int device;
};

static int checked(const char *function) {
    int error = shim_obey(function);
    return error ? error : shim_device_error(shim_device());
}

int cudaGetDeviceCount(int *count) {
    *count = (int) shim_number("devices", 2);
    int error = shim_obey("cudaGetDeviceCount");
    return error ? error : *count ? 0 : 100; /* cudaErrorNoDevice */
}

int cudaSetDevice(int device) {
    if (device < 0 || device >= shim_number("devices", 2)) return 101; /* cudaErrorInvalidDevice */
    shim_use_device(device);
    return shim_obey("cudaSetDevice");
}

int cudaGetDevice(int *device) {
    *device = shim_device();
    return 0;
}

int cudaDeviceGetPCIBusId(char *id, int length, int device) {
    snprintf(id, (size_t) length, "0000:%02X:00.0", device + 1);
    return 0;
}

int cudaRuntimeGetVersion(int *version) {
    *version = CUDA == 12 ? 12090 : 13010;
    return 0;
}

int cudaDriverGetVersion(int *version) {
    *version = (int) shim_number("cuda.driver", CUDA == 12 ? 12090 : 13000);
    return 0;
}

int cudaGetLastError(void) { return shim_device_error(shim_device()); }

const char *cudaGetErrorName(int error) {
    return error == SHIM_ILLEGAL_ADDRESS ? "cudaErrorIllegalAddress" : error == 2 ? "cudaErrorMemoryAllocation"
         : error == 100 ? "cudaErrorNoDevice" : error == 101 ? "cudaErrorInvalidDevice" : "cudaErrorOfTheShim";
}

const char *cudaGetErrorString(int error) {
    return error == SHIM_ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "an error set by the test";
}

int cudaMalloc(void **pointer, size_t bytes) {
    int error = checked("cudaMalloc");
    if (error) return error;
    struct allocation *allocation = calloc(1, bytes + HEADER);
    *allocation = (struct allocation) {bytes, shim_device()};
    __atomic_add_fetch(&allocated[shim_device()], bytes, __ATOMIC_RELAXED);
    *pointer = (char *) allocation + HEADER;
    return 0;
}

int cudaFree(void *pointer) {
    int error = checked("cudaFree");
    if (error || !pointer) return error;
    struct allocation *allocation = (void *) ((char *) pointer - HEADER);
    shim_await_device(allocation->device); /* like the real one */
    __atomic_sub_fetch(&allocated[allocation->device], allocation->bytes, __ATOMIC_RELAXED);
    free(allocation);
    return 0;
}

int cudaMallocHost(void **pointer, size_t bytes) {
    int error = checked("cudaMallocHost");
    if (error) return error;
    *pointer = malloc(bytes);
    return 0;
}

int cudaFreeHost(void *pointer) {
    int error = checked("cudaFreeHost");
    if (error) return error;
    free(pointer);
    return 0;
}

int cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    size_t used = allocated[shim_device()] + (size_t) shim_number("memory.used", 0);
    *total = TOTAL_MEMORY;
    *free_bytes = TOTAL_MEMORY - used;
    return checked("cudaMemGetInfo");
}

struct copy {
    void *to;
    const void *from;
    size_t bytes;
};

static void copy(void *argument) {
    struct copy *it = argument;
    memcpy(it->to, it->from, it->bytes);
    free(it);
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, shim_stream stream) {
    int error = checked("cudaMemcpyAsync");
    if (error) return error;
    struct copy *it = malloc(sizeof *it);
    *it = (struct copy) {to, from, bytes};
    shim_enqueue(stream, copy, it);
    return 0;
}

struct fill {
    void *to;
    int value;
    size_t bytes;
};

static void fill(void *argument) {
    struct fill *it = argument;
    memset(it->to, it->value, it->bytes);
    free(it);
}

int cudaMemsetAsync(void *to, int value, size_t bytes, shim_stream stream) {
    int error = checked("cudaMemsetAsync");
    if (error) return error;
    struct fill *it = malloc(sizeof *it);
    *it = (struct fill) {to, value, bytes};
    shim_enqueue(stream, fill, it);
    return 0;
}

int cudaStreamCreateWithFlags(shim_stream *stream, unsigned flags) {
    int error = checked("cudaStreamCreateWithFlags");
    if (error) return error;
    *stream = shim_stream_create();
    return 0;
}

int cudaStreamDestroy(shim_stream stream) {
    shim_stream_destroy(stream);
    return 0;
}

int cudaStreamSynchronize(shim_stream stream) {
    int error = checked("cudaStreamSynchronize");
    if (error) return error;
    shim_await_stream(stream);
    return shim_device_error(shim_device());
}

int cudaStreamQuery(shim_stream stream) {
    int error = checked("cudaStreamQuery");
    return error ? error : shim_stream_idle(stream) ? 0 : 600; /* cudaErrorNotReady */
}

int cudaDeviceSynchronize(void) {
    int error = checked("cudaDeviceSynchronize");
    if (error) return error;
    shim_await_device(shim_device());
    return shim_device_error(shim_device());
}
