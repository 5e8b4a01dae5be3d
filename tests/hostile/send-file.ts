import { readFile } from 'node:fs/promises'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Client } from '#tests/helpers/client.ts'
import type { HostileFile } from './pdf-corpus.ts'

/**
 * The result of `sendFile`. `refused`: the server did not accept the file or the extraction. `words`: the message for the user.
 */
export interface Answer {
  name: string
  outcome: 'refused' | 'completed' | 'failed'
  words: string
  documentId: string | null
}

/**
 * Uploads a file and extracts its text with `method`, as a user would. Throws if the server refuses with a status of 500 or
 * above, a failure has no message, or the document stays in processing.
 */
export async function sendFile(
  client: Client,
  project: string,
  file: HostileFile,
  method: 'text' | 'ocr',
): Promise<Answer> {
  const { name, bytes } = file
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new File([new Uint8Array(bytes)], `${name}.pdf`, { type: 'application/pdf' }))
  const response = await client.fetch(api.documents(), { method: 'POST', body: form })
  const body = (await response.json()) as { data?: { id: string }; error?: { message: string } }
  if (!body.data) return { name, outcome: 'refused', words: refusalOf(name, response, body.error), documentId: null }
  const documentId = body.data.id
  const asked = await client.fetch(api.documentExtract(documentId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method }),
  })
  const answer = (await asked.json()) as { data?: Job; error?: { message: string } }
  if (!answer.data) return { name, outcome: 'refused', words: refusalOf(name, asked, answer.error), documentId }
  const job = await client.job(answer.data.id, 300_000)
  const { data: document } = await client.json<{ data: DocumentDetail }>(api.document(documentId))
  if (document.status === 'processing') throw new Error(`${name}: the document is stuck in processing.`)
  if (job.status === 'failed' && !job.error) throw new Error(`${name}: failed without a word.`)
  return { name, outcome: job.status === 'completed' ? 'completed' : 'failed', words: job.error ?? '', documentId }
}

function refusalOf(name: string, response: Response, error: { message: string } | undefined): string {
  if (response.status >= 500 || !error) throw new Error(`${name}: the server answered ${response.status}.`)
  return error.message
}

/** Reads the resident memory of a process every 200 ms. `peakMb` returns the maximum in MB; 0 on systems other than Linux. */
export function watchMemory(pid: number): { peakMb: () => number; stop: () => void } {
  let peak = 0
  const look = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
  }
  const timer = setInterval(() => void look(), 200)
  return { peakMb: () => Math.round(peak), stop: () => clearInterval(timer) }
}
