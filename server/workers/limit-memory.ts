import type { Worker } from 'node:worker_threads'

const MB = 1024 * 1024

/**
 * Measures the memory of a worker once. Calls `stop` if its heap and buffers are larger than `memoryMb` megabytes. Does nothing
 * if the worker has ended.
 */
export async function limitMemory(worker: Worker, memoryMb: number, stop: () => void): Promise<void> {
  // Rejects when the worker has ended: nothing is left to watch.
  const heap = await worker.getHeapStatistics().catch(() => null)
  if (heap && heap.used_heap_size + heap.external_memory > memoryMb * MB) stop()
}
