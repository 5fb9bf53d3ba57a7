// How the Node that serves is started, so that it gives memory back.

/** With Node's young generation of 16 MiB a process would grow more than it gains. */
export const nodeOptions = ['--max-semi-space-size=4']

/**
 * Settings of the allocator of glibc; others ignore them. Each thread would keep what it has freed for itself, and large
 * pieces would be kept once one of their size was freed. What is set already stays.
 */
export const allocation = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
}
