import type { InferenceSession } from 'onnxruntime-node'

/** Returns the options of a session of ONNX Runtime that computes on `threads` threads. */
export const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  executionProviders: ['cpu'],
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  // Without the arena, each call requests its memory from the system again, because the C library returns large blocks at once
  // (memoryEnv in bin/prepare/server-programs.mjs). This took ten times the time of the computation.
  enableCpuMemArena: true,
  // Waiting threads that spin take processor time from other threads.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  logSeverityLevel: 3,
})
