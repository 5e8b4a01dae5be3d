import { otelSettings } from './env.ts'
import type { Change, Tracing, Work } from './span.ts'

let tracing: Tracing | undefined
const unchanged: Change = () => {}

/**
 * Starts to send traces if OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set. Loads OpenTelemetry only
 * then.
 */
export async function startTracing(): Promise<void> {
  const settings = otelSettings()
  const isOff = settings['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  const endpoint = settings['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? settings['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (isOff || !endpoint) return
  const { openTracing } = await import('./trace-sender.ts')
  tracing = openTracing(settings)
}

/** Sends the spans that wait, and stops. */
export async function stopTracing(): Promise<void> {
  const stopped = tracing
  tracing = undefined
  await stopped?.stop()
}

/**
 * Runs `task` in a span. Spans that begin within it are its children. The span has the name of a thrown error, not its message.
 */
export const withSpan = <T>(work: Work, task: (change: Change) => Promise<T>): Promise<T> =>
  tracing ? tracing.run(work, task) : task(unchanged)

/**
 * Records ended work as a child of the current span; does nothing outside a span. `startedAt` is a time of performance.now(),
 * `error` a code or a name.
 */
export const recordSpan = (work: Work, startedAt: number, error: string | null = null): void =>
  tracing?.record(work, startedAt, error)

/** Returns whether traces are sent. */
export const isTracing = (): boolean => tracing !== undefined
