import type { InferenceSession } from 'onnxruntime-node'

/** Returns the options of a session of ONNX Runtime that computes on `threads` threads. */
export const sessionOptions = (threads: number): InferenceSession.SessionOptions => ({
  executionProviders: ['cpu'],
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  // The arena would not release the memory of the largest batch.
  enableCpuMemArena: false,
  // Waiting threads that spin take processor time from other threads.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  logSeverityLevel: 3,
})
