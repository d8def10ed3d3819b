/*
 * Shared by four stand-in libraries, which replace libcuda.so.1, libcudart.so.12 or .13, libnccl.so.2 and libnvidia-ml.so.1
 * in tests: "device" memory is memory of the host, a stream is a thread, a collective goes through a file that its processes
 * map. They behave like the real ones where it matters for a restart: a collective whose peer is gone never ends, an abort
 * waits for the whole device, an illegal address corrupts the device for the process.
 *
 * A file named "control" beside the libraries makes them fail or block, by lines "name=value" that each call reads:
 *   FUNCTION=block      the function does not return until the line is removed
 *   FUNCTION=fail:CODE  it returns this error
 */
#ifndef SHIM_H
#define SHIM_H

#include <stdbool.h>
#include <stddef.h>

#define SHIM_DEVICES 8
#define SHIM_ILLEGAL_ADDRESS 700

typedef struct shim_stream *shim_stream;

/* Returns the value of a line of the control file, or the default if there is no such line. */
long shim_number(const char *name, long otherwise);

/* Follows the control file for a function: may block; returns 0, or the error that the function must return. */
int shim_obey(const char *function);

/* Writes the path of a file beside the libraries. */
void shim_path(char *path, size_t size, const char *name);

/* The device of the calling thread. */
int shim_device(void);
void shim_use_device(int device);

/* The error that has corrupted a device, or 0. */
int shim_device_error(int device);
void shim_corrupt_device(int device, int error);

/* Appends a task to a stream; null is the default stream of the calling thread's device. */
shim_stream shim_stream_create(void);
void shim_stream_destroy(shim_stream stream);
void shim_enqueue(shim_stream stream, void (*run)(void *), void *argument);
bool shim_stream_idle(shim_stream stream);
void shim_await_stream(shim_stream stream);
void shim_await_device(int device);

void shim_pause(void);

#endif
