import { api } from '#shared/contract/paths.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { Client } from './client.ts'

/** Returns the form data of an import of reference files. `files`: content by file name. `fields`: further form fields. */
export function importForm(files: Record<string, string | Uint8Array>, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, content] of Object.entries(files)) form.append('file', new File([content as BlobPart], name))
  return form
}

/** Imports reference files into a project, and waits for the import job. Returns the job. */
export async function importReferences(
  client: Client,
  projectId: string,
  files: Record<string, string | Uint8Array>,
  fields: Record<string, string> = {},
): Promise<Job> {
  const body = importForm(files, { project_id: projectId, ...fields })
  const response = await client.fetch(api.imports(), { method: 'POST', body })
  if (response.status !== 202) throw new Error(`The import answered ${response.status}: ${await response.text()}`)
  const { data } = (await response.json()) as { data: Job }
  return client.job(data.id)
}
