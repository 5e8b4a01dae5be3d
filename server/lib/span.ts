/**
 * Attributes of a span: kinds, numbers, models and statements without values. They never contain titles, texts, names or
 * addresses of users.
 */
type Attributes = Record<string, string | number | boolean>

/** A piece of work that a span describes. `kind` is the span kind of OpenTelemetry. */
export interface Work {
  name: string
  kind: 'server' | 'client' | 'consumer'
  attributes: Attributes
}

/** Creates and sends spans. The module trace-sender.ts implements it. */
export interface Tracing {
  run: <T>(work: Work, task: (change: Change) => Promise<T>) => Promise<T>
  record: (work: Work, startedAt: number, error: string | null) => void
  stop: () => Promise<void>
}

/** Changes the name and attributes of a running span. `error` marks it as failed. */
export type Change = (change: { name?: string; attributes?: Attributes; error?: string }) => void
