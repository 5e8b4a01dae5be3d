import type { Worker } from 'node:worker_threads'

const MB = 1024 * 1024

/** Calls `stop` if the heap and the buffers of a worker are larger than `memoryMb`. */
export async function limitMemory(worker: Worker, memoryMb: number, stop: () => void): Promise<void> {
  // Rejects when the worker has ended: nothing is left to watch.
  const heap = await worker.getHeapStatistics().catch(() => null)
  if (heap && heap.used_heap_size + heap.external_memory > memoryMb * MB) stop()
}
