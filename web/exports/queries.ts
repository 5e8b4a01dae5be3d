import type { z } from 'zod'
import { EXPORT_HEADERS, type exportInput } from '#shared/contract/exports.ts'
import { api } from '#shared/contract/paths.ts'
import { requestFile } from '#web/lib/api.ts'

export type ExportRequest = z.input<typeof exportInput>

/**
 * Requests an export. Returns the file, its name, the number of papers in it (`count`) and the number of omitted papers
 * (`leftOut`).
 */
export async function fetchExport(
  body: ExportRequest,
  options: { signal?: AbortSignal; onBytes?: (bytes: number) => void } = {},
) {
  const { blob, name, headers } = await requestFile(api.exports(), { body, ...options })
  const count = (header: string) => Number(headers.get(header) ?? 0)
  return { blob, name, count: count(EXPORT_HEADERS.count), leftOut: count(EXPORT_HEADERS.leftOut) }
}
