import { otelSettings } from './env.ts'
import type { Change, Tracing, Work } from './span.ts'

let tracing: Tracing | undefined
const unchanged: Change = () => {}

/**
 * Starts to send traces if OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set. Otherwise, OpenTelemetry
 * is not loaded.
 */
export async function startTracing(): Promise<void> {
  const settings = otelSettings()
  const isOff = settings['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  const endpoint = settings['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? settings['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (isOff || !endpoint) return
  const { openTracing } = await import('./trace-sender.ts')
  tracing = openTracing(settings)
}

/** Sends the spans that were not sent yet, and stops tracing. */
export async function stopTracing(): Promise<void> {
  const stopped = tracing
  tracing = undefined
  await stopped?.stop()
}

/**
 * Runs `task` in a span. Spans that begin in `task` are its children. If `task` throws, the span records the name of the error,
 * not its message.
 */
export const withSpan = <T>(work: Work, task: (change: Change) => Promise<T>): Promise<T> =>
  tracing ? tracing.run(work, task) : task(unchanged)

/**
 * Records ended work as a child of the current span. Does nothing outside a span. `startedAt` is a time of performance.now();
 * `error` is a code or the name of an error.
 */
export const recordSpan = (work: Work, startedAt: number, error: string | null = null): void =>
  tracing?.record(work, startedAt, error)

/** Returns whether traces are sent. */
export const isTracing = (): boolean => tracing !== undefined
