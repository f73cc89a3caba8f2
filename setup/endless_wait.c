// SPDX-License-Identifier: BSD-3-Clause
// Waiting without an end, as the wheels' Fast DDS means it.
//
// Its library was compiled for a C library without pthread_cond_clockwait: "until the end of the steady clock" is
// reckoned anew for the system's clock and overflows to a time before 1970. The wait then ends at once, again and again,
// and hardly ever lets go of its lock, so that the thread which it waits for cannot go on. A process that ends while
// others come or go may hang so for ever. A time before 1970 means no end here.
#include <pthread.h>
#include <time.h>

int ambf_cond_timedwait(
  pthread_cond_t * condition, pthread_mutex_t * mutex, const struct timespec * until)
{
  return until->tv_sec < 0 ? pthread_cond_wait(condition, mutex)
                           : pthread_cond_timedwait(condition, mutex, until);
}
