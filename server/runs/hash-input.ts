import { createHash } from 'node:crypto'
import { commit, version } from '#server/lib/version.ts'
import type { RunInput, RunKind } from '#shared/contract/runs.ts'

/** The values that determine the output of a run (a call of a model), besides the version of the code. */
export interface RunRequest {
  projectId: string
  kind: RunKind
  model: string
  /** Settings of the model, such as the host of the provider and the temperature. */
  model_settings: Record<string, unknown>
  prompt_text: string
  input: RunInput
}

/** The version of the product and the commit of its build, as in '1.4.0+3f2a9c1b0d4e'. */
export const CODE_VERSION = commit ? `${version}+${commit.slice(0, 12)}` : version

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Returns a hash of a request and of the version of the code, by which an earlier run with the same input is found. The hash
 * does not depend on `projectId` or on the order of object properties.
 */
export const hashRequest = ({ kind, model, model_settings, prompt_text, input }: RunRequest): string =>
  hashText(JSON.stringify(sorted([kind, CODE_VERSION, model, model_settings, prompt_text, input])))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
