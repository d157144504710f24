/* Objects of registered classes, by handles of 64 bits. The library is examples/ffi/main.rs.
 *
 * Every function may be called from every thread, with every number as the handle. */
#ifndef ACEDIA_H
#define ACEDIA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names one life of one object. 0 names none. */
typedef uint64_t acedia_handle;

typedef enum acedia_status {
  ACEDIA_OK = 0,
  ACEDIA_STALE = 1,         /* no living object has the handle */
  ACEDIA_UNKNOWN_CLASS = 2, /* no class, or more than one, has the name */
  ACEDIA_BAD_BYTES = 3,     /* the objects of the class have no bytes, or none like these */
  ACEDIA_OWNED = 4,         /* the object has an owner in Rust and cannot be freed from C */
  ACEDIA_FULL = 5,          /* there is no memory, or no slot */
  ACEDIA_PANICKED = 6,      /* code of the class has panicked */
} acedia_status;

typedef struct acedia_result {
  uint32_t status; /* an acedia_status */
  uint64_t value;  /* a handle, or a length in bytes; 0 unless the status is ACEDIA_OK */
} acedia_result;

/* Begins a life of an object of the class of this name, in UTF-8, without a zero at its end. It lives until acedia_free.
 * The value is its handle. */
acedia_result acedia_allocate(const uint8_t *name, size_t length);

/* Writes the name of the object's class, at most `capacity` bytes of it. The value is its whole length. */
acedia_result acedia_class(acedia_handle handle, uint8_t *room, size_t capacity);

/* Writes the object's bytes, at most `capacity` of them. The value is their number. */
acedia_result acedia_read(acedia_handle handle, uint8_t *room, size_t capacity);

/* Replaces the object's bytes. The value is their number. */
acedia_result acedia_write(acedia_handle handle, const uint8_t *bytes, size_t length);

/* Ends the object's life. Of several calls with one handle, one succeeds. */
acedia_result acedia_free(acedia_handle handle);

#ifdef __cplusplus
}
#endif

#endif
