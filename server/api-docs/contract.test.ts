import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import * as contract from './contract.ts'

it('The API description reads every file of the contract that exports a schema', async () => {
  const folder = new URL('../../shared/contract/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const listed = new Set<object>(Object.values(contract))
  const missing: string[] = []
  for (const name of files) {
    const file = (await import(new URL(name, folder).href)) as object
    if (Object.values(file).some((value) => value instanceof z.ZodType) && !listed.has(file)) missing.push(name)
  }
  expect(missing).toEqual([])
})
