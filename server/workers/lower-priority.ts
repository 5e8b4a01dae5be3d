import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Nice value: beside a thread of normal priority, a busy thread gets a quarter of the processor. */
const LOWER = 5

/**
 * Lowers the priority of the calling worker thread, and of threads that it starts. When all cores are busy with texts and PDFs, the
 * main thread and the database still answer other requests. Only on Linux, where each thread has a priority; without effect on
 * other systems.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    // '<process>/task/<thread>'
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), LOWER)
  } catch {
    // A sandbox may refuse it.
  }
}
