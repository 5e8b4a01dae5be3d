import { expect, it } from 'vitest'
import { promptsQuery } from './queries.ts'

it('the list of prompts is kept for 60 s (CONST-12)', () => expect(promptsQuery.staleTime).toBe(60_000))
