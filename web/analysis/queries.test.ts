import { expect, it } from 'vitest'
import { promptsQuery } from './queries.ts'

it('The prompt list is cached for 60 s (CONST-12)', () => expect(promptsQuery.staleTime).toBe(60_000))
