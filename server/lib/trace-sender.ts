import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Tracing } from './span.ts'
import { version } from './version.ts'

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }
/** Maximum time for sending the last spans when the server stops, in milliseconds. */
const LAST_MS = 3_000

/**
 * Creates the sender of traces to a collector (OTLP over HTTP, JSON), with the standard settings of OpenTelemetry. The module
 * is loaded only if traces are sent.
 */
export function openTracing(settings: Record<string, string | undefined>): Tracing {
  // The exporter reads address, headers, compression and certificates from the environment; `.env` is not part of it.
  Object.assign(process.env, settings)
  const delay = Number(settings['OTEL_BSP_SCHEDULE_DELAY'])
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'lectern', 'service.version': version }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: samplerOf(settings['OTEL_TRACES_SAMPLER'], settings['OTEL_TRACES_SAMPLER_ARG']),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...(delay > 0 ? { scheduledDelayMillis: delay } : {}),
      }),
    ],
  })
  const tracer = provider.getTracer('lectern', version)
  const current = new AsyncLocalStorage<Context>()
  const parent = () => current.getStore() ?? ROOT_CONTEXT
  return {
    run: async ({ name, kind, attributes }, task) => {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent())
      try {
        return await current.run(trace.setSpan(parent(), span), () =>
          task((change) => {
            if (change.name !== undefined) span.updateName(change.name)
            if (change.attributes) span.setAttributes(change.attributes)
            if (change.error !== undefined) fail(span, change.error)
          }),
        )
      } catch (error) {
        fail(span, error instanceof Error ? error.name : typeof error)
        throw error
      } finally {
        span.end()
      }
    },
    record: ({ name, kind, attributes }, startedAt, error) => {
      // Records only within a span: otherwise each poll of the server would be a trace of a single statement.
      if (!current.getStore()) return
      const startTime = performance.timeOrigin + startedAt
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime }, parent())
      if (error !== null) fail(span, error)
      span.end(performance.timeOrigin + performance.now())
    },
    stop: () => Promise.race([provider.shutdown(), new Promise<void>((late) => setTimeout(late, LAST_MS).unref())]),
  }
}

function fail(span: Span, error: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error)
}

/**
 * Returns the sampler for the value `name` of OTEL_TRACES_SAMPLER: 'always_on', 'always_off' or 'traceidratio', with or without
 * the prefix 'parentbased_'. Any other value, or none, samples all traces.
 */
function samplerOf(name: string | undefined, ratio: string | undefined): Sampler {
  if (name?.endsWith('always_off')) return new AlwaysOffSampler()
  const root = name?.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(Number(ratio ?? 1)) : new AlwaysOnSampler()
  return new ParentBasedSampler({ root })
}
